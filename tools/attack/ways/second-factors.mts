import { takesBearer, has, type Operation } from '../openapi/openapi.mts';
import { type Answer, type Attempt, jsonTo } from '../wire/exchange.mts';
import type { Credential } from '../wire/authenticator.mts';
import { totpCode } from '../wire/totp.mts';
import type { Wire } from '../wire/wire.mts';
import { makeAccount } from '../target/accounts.mts';
import type { Caller } from '../target/callers.mts';
import { requestOf } from '../target/requests.mts';
import { NotOffered, Unmade } from '../target/results.mts';
import type { Target } from '../target/target.mts';

/** The routes of a sign-in that needs a second factor. */
export interface TwoStepRoutes {
  /** Takes the password, and gives a pending sign-in's token. */
  readonly begin: Operation;
  readonly complete: Operation;
  /** The member of `complete` that has this token. */
  readonly tokenMember: string;
}

/** The routes for codes from an authenticator application. */
interface SecondFactorRoutes extends TwoStepRoutes {
  readonly enrol: Operation;
  readonly confirm: Operation;
}

const pendingToken = /^(?:mfa|challenge|pending)_?token$/i;

/** Finds the two-step routes by their members. */
export function findTwoSteps({ operations, refresh, signIn }: Target): TwoStepRoutes | undefined {
  const complete = operations.find(
    (operation) =>
      operation.method === 'POST' &&
      operation.security.length === 0 &&
      has(operation.body, pendingToken) &&
      has(operation.body, /^code$/),
  );
  const begin = refresh?.open ?? signIn?.operation;
  const tokenMember = has(complete?.body, pendingToken);
  return complete && begin && tokenMember !== undefined ? { begin, complete, tokenMember } : undefined;
}

/** Finds an authenticator application's routes. */
export function findSecondFactor(target: Target): SecondFactorRoutes | undefined {
  const posts = target.operations.filter(({ method }) => method === 'POST');
  const enrol = posts.find(
    (post) => takesBearer(post) && has(post.answer, /^secret$/) && has(post.answer, /^(?:uri|qr)/),
  );
  const confirm = posts.find(
    (post) => takesBearer(post) && has(post.body, /^code$/) && has(post.answer, /recovery_?codes/i),
  );
  const steps = findTwoSteps(target);
  return enrol && confirm && steps && { enrol, confirm, ...steps };
}

/** An account that must sign in with a second factor. */
export interface Enrolled {
  readonly routes: SecondFactorRoutes;
  readonly owner: Caller;
  readonly secret: string;
  /** The code that confirmed the enrolment, which is used up. */
  readonly usedCode: string;
  readonly recoveryCodes: readonly string[];
}

/**
 * Makes an account with an authenticator application.
 *
 * @param steps the steps by which the service's clock is ahead
 * @param caller an existing account to use instead of a new account
 * @throws NotOffered if the service has no such factor, Unmade if the account cannot be made
 */
export async function enrolApplication(target: Target, steps = 0, caller?: Caller): Promise<Enrolled> {
  const routes = findSecondFactor(target);
  if (!routes) throw new NotOffered('no route enrols an authenticator application');
  const { wire, addresses } = target;
  const owner = caller ?? (await makeAccount(target, addresses[0]));
  const headers = await owner.headers();
  const begun = await wire.send(
    requestOf(routes.enrol, { headers }) ?? { method: 'POST', path: routes.enrol.path },
  );
  const secret = textIn(begun, 'secret');
  const usedCode = totpCode(secret, steps);
  const { path } = routes.confirm;
  const confirmed = await wire.send(jsonTo(routes.confirm, { code: usedCode }, headers));
  const [, list = ''] = /"recovery_?codes"\s*:\s*(\[[^\]]*\])/i.exec(confirmed.text) ?? [];
  if (list === '') throw new Unmade(`${path} answers ${confirmed.status} to the code of an application`);
  return { routes, owner, secret, usedCode, recoveryCodes: JSON.parse(list) };
}

/** A sign-in that waits for its second factor. */
export interface Pending {
  readonly token: string;
  /** Makes the request that completes the sign-in with a passkey or a code, by default a code from the application. */
  readonly attempt: (proof: string | Credential, factor?: RegExp) => Attempt;
}

/** Signs in with the password alone. */
export async function beginSignIn(
  { begin, complete, tokenMember }: TwoStepRoutes,
  { credentials, from }: Caller,
  wire: Wire,
): Promise<Pending> {
  const { text } = await wire.send({ ...jsonTo(begin, credentials), from });
  const token = new RegExp(`"${tokenMember}"\\s*:\\s*"([^"]+)"`).exec(text)?.[1] ?? '';
  const kinds = /"factors"\s*:\s*\[([^\]]*)\]/.exec(text)?.[1]?.match(/[\w-]+/g) ?? [];
  return {
    token,
    attempt: (proof, factor = typeof proof === 'string' ? application : /passkey|webauthn/i) => {
      const evidence = typeof proof === 'string' ? { code: proof } : { credential: proof };
      const body = { [tokenMember]: token, factor: kinds.find((kind) => factor.test(kind)), ...evidence };
      return { ...jsonTo(complete, body), from };
    },
  };
}

const application = /totp|otp|app/i;

/** Matches the recovery-code factor in a response list. */
export const recovery = /recovery|backup/i;

/** A member of a response; empty without it. */
export function textIn({ text }: Answer, name: string): string {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(text)?.[1] ?? '';
}
