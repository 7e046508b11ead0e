import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { has, isForAnyCaller, namesThing, nameOf, type Operation } from '../openapi/openapi.mts';
import { findRemoval, makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { atOnce } from '../target/at-once.mts';
import { requestOf } from '../target/requests.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { type Attempt, withToken } from '../wire/exchange.mts';
import type { IdentityProvider } from '../wire/identity-provider.mts';
import { keysFor, makesKey } from './credentials.mts';
import { authorize, completion, findSignIn } from './identity-providers.mts';

const shares = 'fair shares';
const missing = 'needs an issuer that introspects tokens, and a program that the attack has started';

/** The number of requests from a single address that need a third party. */
const sent = 120;
/** The most of them that may wait for it. */
const maxWaiting = 90;
/** The longest time for which the third party does not respond. It is shorter than any time limit in the service. */
const stallMs = 1750;
/** The interval between counts. A busy machine answers late, and a service without a bound does not answer at all. */
const countMs = 125;
/** The number of requests from other callers meanwhile. */
const others = 20;

/** Checks that a bounded number of requests waits while a third party does not respond, and that other callers are unaffected. */
const slowResponses = check(shares, 'a third party that does not respond', async (target, findings) => {
  const [issuer, provider] = target.providers;
  const read = findRead(target);
  const steps = findSignIn(target);
  if (issuer && read && (await introspects(target, read, issuer)))
    await expectShared(target, {
      title: `${nameOf(read)} with an opaque token`,
      stall: () => issuer.stall('/introspect'),
      attempts: Array.from({ length: sent }, () => readWith(randomUUID(), read)),
    });
  if (provider && steps) {
    const attempts: Attempt[] = [];
    // The beginning of a sign-in is limited by address, too.
    await atOnce(Array(sent), async () => {
      const begun = { ...target, addresses: [unusedAddress(target.addresses) ?? ''].filter(Boolean) };
      const authorized = await authorize(begun, steps, provider, `user ${nextSeed()}`);
      attempts.push(completion(target, steps, provider, authorized));
    });
    await expectShared(target, {
      title: nameOf(steps.complete),
      stall: () => provider.stall('/token'),
      attempts,
    });
  }
  if (findings.cases === 0) findings.note(missing);
});

interface Flood {
  readonly title: string;
  /** Keeps the third party from responding until the returned function is called. */
  readonly stall: () => () => void;
  readonly attempts: readonly Attempt[];
}

async function expectShared(
  { wire, addresses, operations, callers, findings }: Target,
  { title, stall, attempts }: Flood,
): Promise<void> {
  const from = unusedAddress(addresses);
  const plain = operations.find(isPlain);
  const headers = await callers.other.headers();
  const release = stall();
  let answered = 0;
  const flood = attempts.map(async (attempt) => {
    await wire.sendOnce({ ...attempt, from });
    answered += 1;
  });
  try {
    await pause(2 * countMs);
    const answers = await Promise.all(
      Array.from({ length: others }, () =>
        wire.sendOnce({ method: 'GET', path: plain?.path ?? '/', headers }),
      ),
    );
    for (const { status, milliseconds } of answers) {
      const slow = `${plain?.path} answers ${status} after ${Math.round(milliseconds)} ms, while ${title} waits for a third party`;
      findings.expect(status > 0 && status < 500, slow);
    }
    for (let ms = 2 * countMs; ms < stallMs && attempts.length - answered > maxWaiting; ms += countMs)
      await pause(countMs);
    const waiting = attempts.length - answered;
    findings.note(`${waiting} of ${attempts.length} wait: ${title}`);
    const problem = `${waiting} of ${attempts.length} requests of one address wait for a third party: ${title}`;
    findings.expect(waiting <= maxWaiting, problem, attempts[0]);
  } finally {
    release();
    await Promise.all(flood);
  }
}

/** Checks that the service never sends its own tokens and keys to an issuer, which could use them. */
const ownSecrets = check('credentials', 'secrets of its own at an issuer', async (target, findings) => {
  const [issuer] = target.providers;
  const read = findRead(target);
  if (!issuer || !read || !(await introspects(target, read, issuer))) return findings.note(missing);
  for (const [what, secret] of await ownSecretsOf(target)) {
    const attempt = readWith(secret, read);
    const { status } = await target.wire.send(attempt);
    const isShown = issuer.introspected.includes(secret);
    findings.expect(!isShown, `${nameOf(read)} sends ${what} to an issuer, and answers ${status}`, attempt);
  }
});

async function ownSecretsOf(target: Target): Promise<(readonly [string, string])[]> {
  const { operations, refresh, addresses, providers } = target;
  const owner = await makeAccount(target, unusedAddress(addresses));
  const secrets: [string, string | undefined][] = [];
  const make = operations.find((operation) => makesKey(operation) && has(operation.answer, /^api_?key$/i));
  if (make) secrets.push(['an API key', (await keysFor(target, make))[0]]);
  if (refresh) secrets.push(['a refresh token', (await owner.openSession(refresh, owner.from)).refreshToken]);
  const [steps, [provider]] = [findSignIn(target), providers];
  if (steps && provider)
    secrets.push([
      'the request of an authorization',
      (await authorize(target, steps, provider, 'nobody')).request,
    ]);
  return secrets.flatMap(([what, secret = '']) => (secret === '' ? [] : [[what, secret] as const]));
}

/** Whether a token that the service does not know is sent to the issuer. */
async function introspects({ wire }: Target, read: Operation, issuer: IdentityProvider): Promise<boolean> {
  const token = randomUUID();
  await wire.send(readWith(token, read));
  return issuer.introspected.includes(token);
}

function findRead({ operations }: Target): Operation | undefined {
  const removal = findRemoval(operations);
  return operations.find((operation) => operation !== removal && isPlain(operation));
}

function isPlain(operation: Operation): boolean {
  return operation.method === 'GET' && !namesThing(operation) && isForAnyCaller(operation);
}

function readWith(token: string, { method, path, ...read }: Operation): Attempt {
  return withToken(requestOf({ ...read, method, path }) ?? { method, path }, token);
}

export const slowThirdParties: readonly Check[] = [slowResponses];
export const introspections: readonly Check[] = [ownSecrets];
