import { takesBearer, has, nameOf, type Operation } from '../openapi/openapi.mts';
import { findSignUp, isOfAccounts, makeAccount, ownPath } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { parametersIn } from '../target/members.mts';
import { requestOf, validBody } from '../target/requests.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { findMailedCodes } from '../ways/mailed-codes.mts';
import { accessTokenIn } from '../wire/answers.mts';
import type { Attempt } from '../wire/exchange.mts';
import { authorize, completion, findSignIn } from './identity-providers.mts';

/** Checks that an e-mail that its former owner may get back stays reserved meanwhile, in every way to set an e-mail. */
const reserved = check(
  'accounts',
  'an e-mail that its former owner may get back',
  async (attacked, findings) => {
    const target = elsewhere(attacked);
    const { operations, wire } = target;
    const change = findEmailChange(operations);
    if (!change || !operations.some(undoesChange))
      return findings.note('no route undoes a change of an e-mail');
    const owner = await makeAccount(target, target.addresses[0]);
    const member = has(change.body, /^e-?mail$/i) ?? '';
    const changed = requestOf(change, {
      path: ownPath(change, owner),
      body: { [member]: `taken-${nextSeed()}@example.com` },
      headers: await owner.headers(),
    });
    const { status } = changed ? await wire.send(changed) : { status: 0 };
    if (status < 200 || status >= 300)
      return findings.lack(`${nameOf(change)} changed no e-mail: it answered ${status}`);
    for (const attempt of await takes(target, owner.username)) {
      const answer = await wire.send(attempt);
      const isRefused = answer.status >= 400 && answer.status < 500;
      const problem = `${attempt.path} answers ${answer.status} to an e-mail that its former owner may get back`;
      findings.expect(isRefused && accessTokenIn(answer.text) === undefined, problem, attempt);
    }
  },
);

/** Makes requests that give an e-mail to a different account: a sign-up, and a sign-in with a verified provider e-mail. */
async function takes(target: Target, email: string): Promise<Attempt[]> {
  const { operations, providers, callers } = target;
  const [signUp, steps, [provider]] = [findSignUp(operations), findSignIn(target), providers];
  const attempts: Attempt[] = [];
  if (signUp) {
    const member = has(signUp.body, /^(?:user_?name|e-?mail|login)$/i) ?? '';
    const body = { ...Object(validBody(signUp)), [member]: email };
    const headers = signUp.security.length > 0 ? await callers.admin.headers() : {};
    const attempt = requestOf(signUp, { body, headers });
    if (attempt) attempts.push({ ...attempt, from: target.addresses[0] });
  }
  if (steps && provider) {
    const claims = { email, email_verified: true };
    const authorized = await authorize(target, steps, provider, `user ${nextSeed()}`, { claims });
    attempts.push(completion(target, steps, provider, authorized));
  }
  return attempts;
}

function findEmailChange(operations: readonly Operation[]): Operation | undefined {
  return operations.find(
    (operation) =>
      /^P(?:UT|ATCH)$/.test(operation.method) &&
      takesBearer(operation) &&
      isOfAccounts(operation) &&
      has(operation.body, /^e-?mail$/i) !== undefined,
  );
}

function undoesChange({ method, path, security, body }: Operation): boolean {
  return method === 'POST' && security.length === 0 && /undo|revert/i.test(path) && !!has(body, /^token$/);
}

/** Checks that users who sign in only through a provider keep a way to sign in. An undeliverable code does not count. */
const lastFactor = check('ways to sign in', 'the last way to sign in', async (attacked, findings) => {
  const target = elsewhere(attacked);
  const { operations, wire, providers } = target;
  const [steps, [provider]] = [findSignIn(target), providers];
  const end = operations.find(endsOwnFactor);
  if (!steps || !provider || !end)
    return findings.note('needs routes that sign in through providers, and one that ends a factor');
  const email = `unverified-${nextSeed()}@example.com`;
  for (const claims of [{}, { email, email_verified: false }]) {
    const authorized = await authorize(target, steps, provider, `user ${nextSeed()}`, { claims });
    const { text, status } = await wire.send(completion(target, steps, provider, authorized));
    const token = accessTokenIn(text);
    if (token === undefined) {
      findings.lack(`${nameOf(steps.complete)} made no account: it answered ${status}`);
      continue;
    }
    const [parameter = ''] = parametersIn(end.path);
    const attempt = requestOf(end, {
      path: { [parameter]: `identity-provider-${provider.name}` },
      headers: { authorization: `Bearer ${token}` },
    });
    const answer = attempt && (await wire.send(attempt));
    const isLeft = answer?.status === 409 || ('email' in claims && (await getsCode(target, email)));
    const problem = `${nameOf(end)} answers ${answer?.status} to the end of the last way to sign in`;
    findings.expect(isLeft, problem, attempt);
  }
});

/** Whether a code signs in a mailbox's owner. */
async function getsCode(target: Target, email: string): Promise<boolean> {
  const codes = findMailedCodes(target);
  if (!codes) return false;
  const nonce = await codes.ask(email);
  const { text } = await target.wire.send(codes.attempt(nonce, await codes.codeTo(email)));
  return accessTokenIn(text) !== undefined;
}

/** An operator's route names the account, too. */
function endsOwnFactor(operation: Operation): boolean {
  return (
    operation.method === 'DELETE' &&
    takesBearer(operation) &&
    /\/factors\/\{[^}]+\}$/.test(operation.path) &&
    parametersIn(operation.path).length === 1
  );
}

/** Returns a target with a separate address, because sign-ups are limited for each address. */
function elsewhere(target: Target): Target {
  return { ...target, addresses: [unusedAddress(target.addresses)].flatMap((address) => address ?? []) };
}

export const providerAccounts: readonly Check[] = [reserved, lastFactor];
