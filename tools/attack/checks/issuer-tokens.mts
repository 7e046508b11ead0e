import { setTimeout as pause } from 'node:timers/promises';
import { has, isForAnyCaller, nameOf, type Operation } from '../openapi/openapi.mts';
import { makeAccount } from '../target/accounts.mts';
import type { Caller } from '../target/callers.mts';
import { parametersIn } from '../target/members.mts';
import { requestOf } from '../target/requests.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { enrolApplication, findSecondFactor } from '../ways/second-factors.mts';
import type { Attempt } from '../wire/exchange.mts';
import type { IdentityProvider } from '../wire/identity-provider.mts';
import { authorize, completion, findLink } from './identity-providers.mts';

const area = 'ways to sign in';

/** The waiting time, which is longer than the permitted clock difference. */
const leewayMs = 2500;

/** An account with a linked provider identity, so that the provider's access tokens are valid for it. */
interface Linked {
  readonly owner: Caller;
  readonly subject: string;
  /** An access token that was issued before the link. */
  readonly early: string;
}

/** Checks that provider access tokens end with the identity link, and that they leave a second factor in force and unchanged. */
const accessTokens = check(area, 'access tokens of a trusted issuer', async (target, findings) => {
  const { wire, operations } = target;
  const [provider] = target.providers;
  const [read, unlink] = [operations.find(readsCaller), operations.find(endsFactor)];
  const enrol = findSecondFactor(target)?.enrol;
  const first = provider && (await linkedAccount(target, provider));
  if (!provider || !first || !read || !unlink || !enrol)
    return findings.note('needs routes that link identities, and a program that the attack has started');
  const attemptOf = (operation: Operation, token: string) =>
    bearerOf(operation, { authorization: `Bearer ${token}` });
  const expectRefused = async (what: string, token: string, operation = read) => {
    const attempt = attemptOf(operation, token);
    await findings.answers(attempt, [401, 403], nameOf(operation), `to a token ${what}`);
  };
  const { owner, subject, early } = first;
  const token = provider.accessToken(subject);
  if ((await wire.send(attemptOf(read, token))).status !== 200)
    return findings.note('the service accepts no access token of its provider');
  await expectRefused('from before the link of its identity', early);
  await expectRefused('that is bound to a key', provider.accessToken(subject, { cnf: { jkt: 'x' } }));
  await expectRefused('of an issuer, which enrols a factor', token, enrol);
  await wire.send(bearerOf(unlink, await owner.headers(), `identity-provider-${provider.name}`));
  await expectRefused('whose identity is not linked any more', token);
  const second = await linkedAccount(target, provider);
  if (!second) return;
  await enrolApplication(target, 0, second.owner);
  await pause(leewayMs);
  await expectRefused('of an account with a second factor', provider.accessToken(second.subject));
});

function readsCaller(operation: Operation): boolean {
  const { method, path, answer } = operation;
  return (
    method === 'GET' && isForAnyCaller(operation) && !path.includes('{') && !!has(answer, /^(?:user_?)?id$/i)
  );
}

function endsFactor(operation: Operation): boolean {
  const { method, path } = operation;
  return method === 'DELETE' && isForAnyCaller(operation) && /\/factors\/\{[^}]+\}$/.test(path);
}

/** Makes an account with a linked provider identity; `undefined` if the service cannot link identities. */
async function linkedAccount(target: Target, provider: IdentityProvider): Promise<Linked | undefined> {
  const link = findLink(target);
  if (!link) return undefined;
  const owner = await makeAccount(target, target.addresses[0]);
  const subject = `user ${nextSeed()}`;
  const early = provider.accessToken(subject, { iat: Math.floor(Date.now() / 1000) - 30 });
  const authorized = await authorize(target, link, provider, subject, { owner });
  await target.wire.send(completion(target, link, provider, authorized, await owner.headers()));
  // A new password ends tokens that were issued before it.
  await pause(leewayMs);
  return { owner, subject, early };
}

function bearerOf(operation: Operation, headers: Attempt['headers'], id = ''): Attempt {
  const [parameter = ''] = parametersIn(operation.path);
  const { method, path } = operation;
  return requestOf(operation, { path: { [parameter]: id }, headers }) ?? { method, path, headers };
}

export const issuerTokens: readonly Check[] = [accessTokens];
