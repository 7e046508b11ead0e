import { takesBearer, has, type Operation } from '../openapi/openapi.mts';
import { makeAccount } from '../target/accounts.mts';
import type { Caller } from '../target/callers.mts';
import { parametersIn, parsed } from '../target/members.mts';
import { requestOf } from '../target/requests.mts';
import { NotOffered, Unmade } from '../target/results.mts';
import type { Target } from '../target/target.mts';
import { Authenticator, type Credential, type PasskeyOptions, rpIdOf } from '../wire/authenticator.mts';
import { type Attempt, jsonTo } from '../wire/exchange.mts';
import type { Wire } from '../wire/wire.mts';
import { findTwoSteps, textIn } from './second-factors.mts';

/** The routes of passkeys. */
export interface PasskeyRoutes {
  readonly enrol: Operation;
  readonly confirm: Operation;
  readonly begin: Operation;
  readonly complete: Operation;
  /** Ends a factor of its caller. */
  readonly end: Operation | undefined;
}

/** Finds the passkey routes by their members: `options` for the browser, and the `credential` that the browser makes. */
export function findPasskeys(operations: readonly Operation[]): PasskeyRoutes | undefined {
  const posts = operations.filter(({ method }) => method === 'POST');
  const [own, open] = [posts.filter(takesBearer), posts.filter(({ security }) => security.length === 0)];
  const [enrol, confirm, begin] = [
    own.find(givesOptions),
    own.find(takesCredential),
    open.find(givesOptions),
  ];
  const complete = open.find((operation) => takesCredential(operation) && !has(operation.body, /_?token$/i));
  const end = operations.find(
    (operation) =>
      operation.method === 'DELETE' &&
      takesBearer(operation) &&
      enrol?.path.startsWith(operation.path.replace(/\{.*/, '')),
  );
  return enrol && confirm && begin && complete && { enrol, confirm, begin, complete, end };
}

function givesOptions({ answer }: Operation): boolean {
  return has(answer, /^options$/) !== undefined;
}

function takesCredential({ body }: Operation): boolean {
  return has(body, /^credential$/) !== undefined;
}

/** An account that signs in by a passkey. */
export interface PasskeyOwner {
  readonly routes: PasskeyRoutes;
  readonly owner: Caller;
  readonly authenticator: Authenticator;
  /** The factor id as the routes use it. */
  readonly id: string;
}

/** An account that may enrol passkeys, and the page on which it does. */
export interface PasskeyCandidate {
  readonly routes: PasskeyRoutes;
  readonly owner: Caller;
  readonly origin: string;
}

/** Makes a passkey candidate. @throws NotOffered if the service has no passkeys, Unmade if the account cannot be made */
export async function makeCandidate(target: Target): Promise<PasskeyCandidate> {
  const routes = findPasskeys(target.operations);
  if (!routes) throw new NotOffered('no route enrols passkeys');
  const owner = await makeAccount(target, target.addresses[0]);
  const origin = target.origin ?? `https://${rpIdOf(await enrolmentOptions(target.wire, routes, owner))}`;
  return { routes, owner, origin };
}

/** Makes an account with a passkey. @throws as {@link makeCandidate} */
export async function enrolPasskey(target: Target): Promise<PasskeyOwner> {
  const candidate = await makeCandidate(target);
  const { routes, owner, origin } = candidate;
  const authenticator = new Authenticator(origin);
  const credential = authenticator.create(await enrolmentOptions(target.wire, routes, owner));
  const confirmed = await target.wire.send(await confirmation(candidate, credential));
  if (confirmed.status >= 300)
    throw new Unmade(
      `${routes.confirm.path} answers ${confirmed.status} to a passkey of ${origin}; name its page with --origin`,
    );
  return { routes, owner, authenticator, id: textIn(confirmed, 'id') };
}

/** Requests the service's options for a new passkey. */
export async function enrolmentOptions(
  wire: Wire,
  { enrol }: PasskeyRoutes,
  owner: Caller,
): Promise<PasskeyOptions> {
  const { method, path } = enrol;
  return optionsIn((await wire.send({ method, path, headers: await owner.headers() })).text);
}

/** The request that adds a passkey to an account. */
export async function confirmation(
  { routes: { confirm }, owner }: Pick<PasskeyCandidate, 'routes' | 'owner'>,
  credential: Credential,
): Promise<Attempt> {
  return jsonTo(confirm, { credential }, await owner.headers());
}

/**
 * Requests the service's passkey options for a sign-in.
 *
 * @param pending a sign-in that waits for its second factor
 */
export async function signInOptions(
  target: Target,
  { begin }: PasskeyRoutes,
  pending?: { readonly token: string },
): Promise<PasskeyOptions> {
  const member = findTwoSteps(target)?.tokenMember ?? '';
  const body = pending === undefined ? {} : { [member]: pending.token };
  const [from] = target.addresses;
  return optionsIn((await target.wire.send({ ...jsonTo(begin, body), from })).text);
}

/** The request of a sign-in by a passkey. */
export function passkeySignIn(
  { complete }: PasskeyRoutes,
  credential: Credential,
  [from]: Target['addresses'],
): Attempt {
  return { ...jsonTo(complete, { credential }), from };
}

/** The request that ends a factor. */
export async function endOfFactor(end: Operation, caller: Caller, id: string): Promise<Attempt | undefined> {
  const [name = ''] = parametersIn(end.path);
  return requestOf(end, { path: { [name]: id }, headers: await caller.headers() });
}

/** Reads the passkey options from a response. Falls back to an empty challenge, which was never issued. */
function optionsIn(text: string): PasskeyOptions {
  const options: unknown = Reflect.get(Object(parsed(text)), 'options');
  return { challenge: '', ...Object(options) };
}
