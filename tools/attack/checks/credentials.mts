import { setTimeout as pause } from 'node:timers/promises';
import { accessTokenIn } from '../wire/answers.mts';
import type { Attempt } from '../wire/exchange.mts';
import { nameOf, type Operation } from '../openapi/openapi.mts';
import { findSignUp, isOfAccounts, makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { callerOf, requestOf, takesBearer } from '../target/requests.mts';
import type { Check, Target } from '../target/target.mts';
import { findPasskeys } from '../ways/passkeys.mts';
import { withClaims } from '../wire/tokens.mts';
import { Wire } from '../wire/wire.mts';

const area = 'credentials';
const daySeconds = 86_400;

/** A token that is refreshed for days, or stolen, does not do what its route reserves to callers who signed in recently. */
const longAgo: Check = {
  area,
  name: 'a sign-in of long ago',
  run: async (target, findings) => {
    const { secret, operations, wire } = target;
    if (secret === undefined) return findings.note('a token of an old sign-in needs --secret');
    const reserved = operations.filter(
      (one) =>
        takesBearer(one) &&
        (needsRecentSignIn(one) ||
          makesCredential(one) ||
          changesPasskeys(one, operations) ||
          isLasting(one)),
    );
    if (reserved.length === 0) return findings.note('no route needs a recent sign-in');
    const changes = { auth_time: Math.floor(Date.now() / 1000) - daySeconds };
    const plain = operations.find((one) => isPlainRead(one) && callerOf(one, target) === target.callers.user);
    if (plain) {
      const token = withClaims(await target.callers.user.accessToken(), changes, secret);
      const { status } = await wire.send(withToken({ method: 'GET', path: plain.path }, token));
      findings.expect(status < 400, `${nameOf(plain)} answers ${status} to a sign-in of yesterday`);
    }
    for (const operation of reserved) {
      const valid = await callerOf(operation, target)?.accessToken();
      const request = requestOf(operation);
      if (valid === undefined || request === undefined) continue;
      const attempt = withToken(request, withClaims(valid, changes, secret));
      const { status } = await wire.send(attempt);
      findings.expect(
        status === 401 || status === 403,
        `${nameOf(operation)} needs a recent sign-in, and answers ${status} to one of yesterday`,
        attempt,
      );
    }
  },
};

/** A sign-in that was ended at one program makes no key and no token at another one, also in the same moment. */
const endedElsewhere: Check = {
  area,
  name: 'what an ended sign-in makes',
  run: async (target, findings) => {
    const { operations, startSecond, callers, signIn, wire } = target;
    const logout = operations.find(
      (one) => one.method === 'POST' && /log-?out|sign-?out/i.test(one.path) && takesBearer(one),
    );
    const makers = operations.filter(makesCredential);
    if (!logout || !signIn || !startSecond || makers.length === 0 || !callers.other.canSignIn)
      return findings.note('needs a second program on the same store, a route to sign out, and one for keys');
    const second = await startSecond();
    const there = new Wire(new URL(second.url));
    try {
      for (const operation of makers) {
        const token = accessTokenIn((await callers.other.signIn()).text) ?? '';
        const request = requestOf(operation);
        if (request === undefined) continue;
        // The second program has seen the token before, and may remember it.
        await there.send(withToken({ method: 'GET', path: pathOfPlainRead(target) }, token));
        const ended = await wire.send(withToken({ method: 'POST', path: logout.path }, token));
        findings.expect(ended.status < 300, `${nameOf(logout)} answered ${ended.status} to a valid token`);
        const attempt = withToken(request, token);
        const { status } = await there.send(attempt);
        findings.expect(
          status === 401 || status === 403,
          `${nameOf(operation)} answers ${status} at a second program to a sign-in that has just ended`,
          attempt,
        );
      }
    } finally {
      there.close();
      await second.stop();
    }
  },
};

/** As its description says it: without one it is refused, not only sent less. */
function needsRecentSignIn({ description }: Operation): boolean {
  return /\b40[13] (?:unless|without)\b[^.]*(?:signed in within|recent sign-?in)/i.test(description);
}

/** Whether an operation does what a stolen token must not: it removes an account, or gives it a role. */
function isLasting(operation: Operation): boolean {
  const { method, body } = operation;
  const names = Object.keys(body?.properties ?? {});
  return isOfAccounts(operation) && (method === 'DELETE' || names.some((name) => /^roles?$/i.test(name)));
}

/** Whoever adds a passkey of his own signs in by it from then on. */
function changesPasskeys(operation: Operation, operations: readonly Operation[]): boolean {
  const { enrol, confirm, end } = findPasskeys(operations) ?? {};
  return [enrol, confirm, end].includes(operation);
}

/** Whether an operation gives its caller something to authenticate with later. */
function makesCredential(operation: Operation): boolean {
  const names = Object.keys(operation.answer?.properties ?? {});
  return (
    operation.method === 'POST' &&
    takesBearer(operation) &&
    operation.security.some(({ roles }) => roles.length === 0) &&
    names.some((name) => /^(?:api_?key|secret|access_?token)$/i.test(name))
  );
}

function isPlainRead(operation: Operation): boolean {
  const { method, path } = operation;
  return method === 'GET' && takesBearer(operation) && !path.includes('{') && !needsRecentSignIn(operation);
}

function pathOfPlainRead({ operations }: Target): string {
  return operations.find(isPlainRead)?.path ?? '/';
}

function withToken(attempt: Attempt, token: string): Attempt {
  return { ...attempt, headers: { ...attempt.headers, authorization: `Bearer ${token}` } };
}

/** Keys of one account that are used in turn. */
const keyCount = 4;
/** A caller who may send more than this has no limit. */
const maxUnlimited = 300;
const minuteMs = 60_000;

/** Several keys of one account have the limit of one caller, and not each its own. */
const keysOfOne: Check = {
  area,
  name: 'several keys of one account',
  run: async (target, findings) => {
    const { operations, startLimited } = target;
    const read = operations.find((one) => one.method === 'GET' && !one.path.includes('{') && keyHeader(one));
    const make = operations.find(makesKey);
    const header = read && keyHeader(read);
    if (!read || !make || !header) return findings.note('the service has no API keys');
    const keys = await keysFor(target, make);
    if (keys.length < 2) return findings.lack(`${nameOf(make)} made no keys`);
    const limited = await startLimited?.();
    const wire = limited ? new Wire(new URL(limited.url)) : target.wire;
    const send = (key = '') => wire.send({ method: 'GET', path: read.path, headers: { [header]: key } });
    try {
      await pause(minuteMs - (Date.now() % minuteMs) < marginMs ? marginMs : 0);
      let count = 0;
      while (count < maxUnlimited && (await send(keys[0])).status !== 429) count += 1;
      if (count === maxUnlimited)
        return findings.note(`a caller has no limit below ${maxUnlimited} requests`);
      for (const key of keys.slice(1)) {
        const { status } = await send(key);
        const attempt = { method: 'GET', path: read.path, headers: { [header]: key } };
        const problem = `${nameOf(read)} answers ${status} to another key of an account that is limited after ${count} requests`;
        findings.expect(status === 429, problem, attempt);
      }
    } finally {
      if (wire !== target.wire) wire.close();
      await limited?.stop();
    }
  },
};

/** Nearer to the end of a minute, its count might begin anew between two requests. */
const marginMs = 5000;

/** Of an account of its own: others may have as many keys as they can. */
export async function keysFor(target: Target, make: Operation): Promise<string[]> {
  const { wire, callers } = target;
  const owner = findSignUp(target.operations) ? await makeAccount(target) : callers.other;
  const keys: string[] = [];
  for (let count = 0; count < keyCount; count += 1) {
    const request = requestOf(make, { headers: await owner.headers() });
    const { text } = request ? await wire.send(request) : { text: '' };
    keys.push(...(/"(?:api_?key|secret)"\s*:\s*"([^"]+)"/i.exec(text)?.slice(1) ?? []));
  }
  return keys;
}

/** Whether an operation gives its caller an API key. */
export function makesKey(operation: Operation): boolean {
  return makesCredential(operation) && isKey(operation);
}

function isKey({ answer }: Operation): boolean {
  return Object.keys(answer?.properties ?? {}).some((name) => /^(?:api_?key|secret)$/i.test(name));
}

/** The header of an API key that may use an operation without a role. */
function keyHeader({ security }: Operation): string | undefined {
  return security
    .find(({ header, roles }) => header !== undefined && roles.length === 0)
    ?.header?.toLowerCase();
}

/** Whoever sends requests from an address with the name of an account does not use up the requests of that account. */
const namedAddresses: Check = {
  area,
  name: 'an address with the name of an account',
  run: async (target, findings) => {
    const { operations, startLimited, addresses } = target;
    const read = operations.find(
      (one) => isPlainRead(one) && callerOf(one, target) === target.callers.user && !isOfAccounts(one),
    );
    const open = operations.find(
      ({ method, path, security }) =>
        method === 'GET' && security.length === 0 && !/[{.]|health|live|ready|doc/.test(path),
    );
    if (!read || !open || !findSignUp(operations))
      return findings.note('needs a public route to read, one for callers, and one that makes accounts');
    const owner = await makeAccount(target, unusedAddress(addresses));
    const headers = await owner.headers();
    const limited = await startLimited?.();
    const wire = limited ? new Wire(new URL(limited.url)) : target.wire;
    try {
      await pause(minuteMs - (Date.now() % minuteMs) < marginMs ? marginMs : 0);
      const attempt = { method: 'GET', path: open.path, headers: { 'x-forwarded-for': owner.id ?? '' } };
      let count = 0;
      while (count < maxUnlimited && (await wire.send(attempt)).status !== 429) count += 1;
      if (count === maxUnlimited)
        return findings.note(`an address has no limit below ${maxUnlimited} requests`);
      const from = { 'x-forwarded-for': '192.0.2.1' };
      const { status } = await wire.send({
        method: 'GET',
        path: read.path,
        headers: { ...headers, ...from },
      });
      const problem = `${nameOf(read)} answers ${status} to an account after ${count} requests of an address with its name`;
      findings.expect(status !== 429, problem, attempt);
    } finally {
      if (wire !== target.wire) wire.close();
      await limited?.stop();
    }
  },
};

export const credentials: readonly Check[] = [longAgo, endedElsewhere, keysOfOne, namedAddresses];
