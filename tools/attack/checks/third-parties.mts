import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { nameOf, type Operation } from '../openapi/openapi.mts';
import { findRemoval, makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { atOnce } from '../target/at-once.mts';
import { requestOf, takesBearer } from '../target/requests.mts';
import type { Findings } from '../target/results.mts';
import { type Check, nextSeed, type Target } from '../target/target.mts';
import { has } from '../ways/second-factors.mts';
import { refreshTokenIn } from '../wire/answers.mts';
import { type Attempt, jsonAttempt } from '../wire/exchange.mts';
import type { IdentityProvider } from '../wire/identity-provider.mts';
import { keysFor, makesKey } from './credentials.mts';
import { authorize, completion, findSignIn } from './identity-providers.mts';

const missing = 'needs an issuer that introspects tokens, and a program that the attack has started';

/** Requests of one address that need a third party. */
const sent = 120;
/** The most of them that may wait for it. */
const maxWaiting = 90;
/** How long the third party does not respond: shorter than any time limit of the service. */
const stallMs = 1000;
/** Requests of other callers meanwhile. */
const others = 20;

/** While a third party does not respond, a bounded number of requests waits for it, and other callers notice nothing. */
const slowResponses: Check = {
  area: 'fair shares',
  name: 'a third party that does not respond',
  run: async (target, findings) => {
    const [issuer, provider] = target.providers;
    const read = findRead(target);
    const steps = findSignIn(target);
    if (issuer && read && (await introspects(target, read, issuer)))
      await expectShared(target, findings, {
        title: `${nameOf(read)} with an opaque token`,
        stall: () => issuer.stall('/introspect'),
        attempts: Array.from({ length: sent }, () => withToken(read, randomUUID())),
      });
    if (provider && steps) {
      const attempts: Attempt[] = [];
      // The beginning of a sign-in is limited by address, too.
      await atOnce(Array(sent), async () => {
        const begun = { ...target, addresses: [unusedAddress(target.addresses) ?? ''].filter(Boolean) };
        const authorized = await authorize(begun, steps, provider, `user ${nextSeed()}`);
        attempts.push(completion(target, steps, provider, authorized));
      });
      await expectShared(target, findings, {
        title: nameOf(steps.complete),
        stall: () => provider.stall('/token'),
        attempts,
      });
    }
    if (findings.cases === 0) findings.note(missing);
  },
};

interface Flood {
  readonly title: string;
  /** Keeps the third party from responding until the returned function is called. */
  readonly stall: () => () => void;
  readonly attempts: readonly Attempt[];
}

async function expectShared(
  { wire, addresses, operations, callers }: Target,
  findings: Findings,
  { title, stall, attempts }: Flood,
): Promise<void> {
  const from = unusedAddress(addresses);
  const plain = operations.find((one) => takesBearer(one) && isPlain(one));
  const headers = await callers.other.headers();
  const release = stall();
  let answered = 0;
  const flood = attempts.map(async (attempt) => {
    await wire.send({ ...attempt, from });
    answered += 1;
  });
  try {
    await pause(stallMs / 4);
    const answers = await Promise.all(
      Array.from({ length: others }, () => wire.send({ method: 'GET', path: plain?.path ?? '/', headers })),
    );
    for (const { status, milliseconds } of answers)
      findings.expect(
        status > 0 && status < 500,
        `${plain?.path} answers ${status} after ${Math.round(milliseconds)} ms, while ${title} waits for a third party`,
      );
    await pause((stallMs * 3) / 4);
    const waiting = attempts.length - answered;
    findings.note(`${waiting} of ${attempts.length} wait: ${title}`);
    findings.expect(
      waiting <= maxWaiting,
      `${waiting} of ${attempts.length} requests of one address wait for a third party: ${title}`,
      attempts[0],
    );
  } finally {
    release();
    await Promise.all(flood);
  }
}

/** What a service has issued is never shown to an issuer, which could use it. */
const ownSecrets: Check = {
  area: 'credentials',
  name: 'secrets of its own at an issuer',
  run: async (target, findings) => {
    const [issuer] = target.providers;
    const read = findRead(target);
    if (!issuer || !read || !(await introspects(target, read, issuer))) return findings.note(missing);
    for (const [what, secret] of await ownSecretsOf(target)) {
      const attempt = withToken(read, secret);
      const { status } = await target.wire.send(attempt);
      const isShown = issuer.introspected.includes(secret);
      findings.expect(!isShown, `${nameOf(read)} sends ${what} to an issuer, and answers ${status}`, attempt);
    }
  },
};

async function ownSecretsOf(target: Target): Promise<(readonly [string, string])[]> {
  const { operations, wire, refresh, addresses, providers } = target;
  const owner = await makeAccount(target, unusedAddress(addresses));
  const secrets: [string, string | undefined][] = [];
  const make = operations.find((one) => makesKey(one) && has(one.answer, /^api_?key$/i));
  if (make) secrets.push(['an API key', (await keysFor(target, make))[0]]);
  if (refresh) {
    const { method, path } = refresh.open;
    const opened = await wire.send({ ...jsonAttempt(method, path, owner.credentials), from: owner.from });
    secrets.push(['a refresh token', refreshTokenIn(opened.text)]);
  }
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
  await wire.send(withToken(read, token));
  return issuer.introspected.includes(token);
}

function findRead({ operations }: Target): Operation | undefined {
  const removal = findRemoval(operations);
  return operations.find((one) => one !== removal && takesBearer(one) && isPlain(one));
}

function isPlain({ method, path, security }: Operation): boolean {
  return method === 'GET' && !path.includes('{') && security.some(({ roles }) => roles.length === 0);
}

function withToken(read: Operation, token: string): Attempt {
  const headers = { authorization: `Bearer ${token}` };
  return requestOf(read, { headers }) ?? { method: read.method, path: read.path, headers };
}

export const slowThirdParties: readonly Check[] = [slowResponses];
export const introspections: readonly Check[] = [ownSecrets];
