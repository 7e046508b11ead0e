import { withToken, type Attempt } from '../wire/exchange.mts';
import { setTimeout as pause } from 'node:timers/promises';
import { accessTokenIn } from '../wire/answers.mts';
import { takesBearer, nameOf, type Operation, namesThing, isForAnyCaller, has } from '../openapi/openapi.mts';
import { findSignUp, isOfAccounts, makeAccount } from '../target/accounts.mts';
import { unusedAddress } from '../target/addresses.mts';
import { callerOf, requestOf } from '../target/requests.mts';
import { makeOwnedThings } from '../target/things.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { findPasskeys } from '../ways/passkeys.mts';
import { withClaims } from '../wire/tokens.mts';
import { Wire } from '../wire/wire.mts';

const area = 'credentials';
const daySeconds = 86_400;

/** Checks that a refreshed or stolen token is refused by routes that are reserved to callers who signed in recently. */
const longAgo = check(area, 'a sign-in of long ago', async (target, findings) => {
  const { secret, operations, wire } = target;
  if (secret === undefined) return findings.note('a token of an old sign-in needs --secret');
  const reserved = operations.filter(
    (operation) =>
      takesBearer(operation) &&
      (needsRecentSignIn(operation) ||
        makesCredential(operation) ||
        changesPasskeys(operation, operations) ||
        isLasting(operation)),
  );
  if (reserved.length === 0) return findings.note('no route needs a recent sign-in');
  const changes = { auth_time: Math.floor(Date.now() / 1000) - daySeconds };
  const plain = operations.find(
    (operation) => isPlainRead(operation) && callerOf(operation, target) === target.callers.user,
  );
  if (plain) {
    const token = withClaims(await target.callers.user.accessToken(), changes, secret);
    const { status } = await wire.send(withToken({ method: 'GET', path: plain.path }, token));
    findings.expect(status < 400, `${nameOf(plain)} answers ${status} to a sign-in of yesterday`);
  }
  for (const operation of reserved) {
    const valid = await callerOf(operation, target)?.accessToken();
    const request = requestOf(operation);
    if (valid === undefined || request === undefined) continue;
    let attempt = withToken(request, withClaims(valid, changes, secret));
    // A stranger to a team is told first that there is none.
    if (namesThing(operation) && (await wire.send(attempt)).status === 404) {
      const things = await findings.unlessSkipped(() => makeOwnedThings(target, operation.path));
      const token = await things?.owner.accessToken();
      const inside = requestOf(operation, { path: things?.path });
      if (token && inside) attempt = withToken(inside, withClaims(token, changes, secret));
    }
    const who = `${nameOf(operation)} needs a recent sign-in, and`;
    await findings.answers(attempt, [401, 403], who, 'to one of yesterday');
  }
});

/** Checks that a sign-in that ended at a program makes no key or token at a second program, even at the same moment. */
const endedElsewhere = check(area, 'what an ended sign-in makes', async (target, findings) => {
  const { operations, startSecond, callers, signIn, wire } = target;
  const logout = operations.find(
    (operation) =>
      operation.method === 'POST' && /log-?out|sign-?out/i.test(operation.path) && takesBearer(operation),
  );
  const makers = operations.filter(makesCredential);
  if (!logout || !signIn || !startSecond || makers.length === 0 || !callers.other.canSignIn)
    return findings.note('needs a second program on the same store, a route to sign out, and one for keys');
  const read = operations.find(isPlainRead)?.path ?? '/';
  const second = await startSecond();
  const there = new Wire(new URL(second.url));
  try {
    for (const operation of makers) {
      const token = accessTokenIn((await callers.other.signIn()).text) ?? '';
      const request = requestOf(operation);
      if (request === undefined) continue;
      // The second program has seen the token before, and may remember it.
      await there.send(withToken({ method: 'GET', path: read }, token));
      const ended = await wire.send(withToken({ method: 'POST', path: logout.path }, token));
      findings.expect(ended.status < 300, `${nameOf(logout)} answered ${ended.status} to a valid token`);
      const what = 'at a second program to a sign-in that has just ended';
      await findings.answers(withToken(request, token), [401, 403], nameOf(operation), what, there);
    }
  } finally {
    there.close();
    await second.stop();
  }
});

/** Reads from the description whether the operation refuses callers without a recent sign-in, instead of sending them less. */
function needsRecentSignIn({ description }: Operation): boolean {
  return /\b40[13] (?:unless|without)\b[^.]*(?:signed in within|recent sign-?in)/i.test(description);
}

/** Whether an operation must be refused to a stolen token because it removes an account or assigns a role. */
function isLasting(operation: Operation): boolean {
  const { method, body } = operation;
  return isOfAccounts(operation) && (method === 'DELETE' || has(body, /^roles?$/i) !== undefined);
}

/** Whether an operation changes passkeys. A caller who adds a passkey can sign in with it from then on. */
function changesPasskeys(operation: Operation, operations: readonly Operation[]): boolean {
  const { enrol, confirm, end } = findPasskeys(operations) ?? {};
  return [enrol, confirm, end].includes(operation);
}

/** Whether an operation gives its caller something to authenticate with later. */
function makesCredential(operation: Operation): boolean {
  const isMade = has(operation.answer, /^(?:api_?key|secret|access_?token)$/i) !== undefined;
  return operation.method === 'POST' && isForAnyCaller(operation) && isMade;
}

function isPlainRead(operation: Operation): boolean {
  const isRead = operation.method === 'GET' && !namesThing(operation);
  return isRead && takesBearer(operation) && !needsRecentSignIn(operation);
}

/** The number of API keys from a single account that the check uses in turn. */
const keyCount = 4;
/** A caller who may send more than this has no limit. */
const maxUnlimited = 300;
const minuteMs = 60_000;

/** Checks that the keys of an account share a single caller's limit. */
const keysOfOne = check(area, 'several keys of one account', async (target, findings) => {
  const { operations } = target;
  const read = operations.find(
    (operation) => operation.method === 'GET' && !namesThing(operation) && keyHeader(operation),
  );
  const make = operations.find(makesKey);
  const header = read && keyHeader(read);
  if (!read || !make || !header) return findings.note('the service has no API keys');
  const keys = await keysFor(target, make);
  if (keys.length < 2) return findings.lack(`${nameOf(make)} made no keys`);
  const by = (key = '') => ({ method: 'GET', path: read.path, headers: { [header]: key } });
  await whenLimited(target, 'a caller', by(keys[0]), async (count, wire) => {
    const what = `to another key of an account that is limited after ${count} requests`;
    for (const key of keys.slice(1)) await findings.answers(by(key), [429], nameOf(read), what, wire);
  });
});

/** Sends a request to a program with a limit until it is refused, and then runs something in the same minute. */
async function whenLimited(
  { wire: usual, startLimited, findings }: Target,
  who: string,
  attempt: Attempt,
  run: (count: number, wire: Wire) => Promise<void>,
): Promise<void> {
  const limited = await startLimited?.();
  const wire = limited ? new Wire(new URL(limited.url)) : usual;
  try {
    await pause(minuteMs - (Date.now() % minuteMs) < marginMs ? marginMs : 0);
    let count = 0;
    while (count < maxUnlimited && (await wire.send(attempt)).status !== 429) count += 1;
    if (count === maxUnlimited) findings.note(`${who} has no limit below ${maxUnlimited} requests`);
    else await run(count, wire);
  } finally {
    if (wire !== usual) wire.close();
    await limited?.stop();
  }
}

/** The least time before the end of a minute. With less time, the count might begin anew between two requests. */
const marginMs = 5000;

/** Makes keys in a separate account, because the accounts of the attack may have reached their key limit. */
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
  return makesCredential(operation) && has(operation.answer, /^(?:api_?key|secret)$/i) !== undefined;
}

/** The header of an API key that may use an operation without a role. */
function keyHeader({ security }: Operation): string | undefined {
  return security
    .find(({ header, roles }) => header !== undefined && roles.length === 0)
    ?.header?.toLowerCase();
}

/** Checks that requests from an address named like an account leave the account's request limit intact. */
const namedAddresses = check(area, 'an address with the name of an account', async (target, findings) => {
  const { operations, addresses } = target;
  const read = operations.find(
    (operation) =>
      isPlainRead(operation) &&
      callerOf(operation, target) === target.callers.user &&
      !isOfAccounts(operation),
  );
  const open = operations.find(
    ({ method, path, security }) =>
      method === 'GET' && security.length === 0 && !/[{.]|health|live|ready|doc/.test(path),
  );
  if (!read || !open || !findSignUp(operations))
    return findings.note('needs a public route to read, one for callers, and one that makes accounts');
  const owner = await makeAccount(target, unusedAddress(addresses));
  const headers = await owner.headers();
  const attempt = { method: 'GET', path: open.path, headers: { 'x-forwarded-for': owner.id ?? '' } };
  await whenLimited(target, 'an address', attempt, async (count, wire) => {
    const own = { method: 'GET', path: read.path, headers: { ...headers, 'x-forwarded-for': '192.0.2.1' } };
    const what = `to an account after ${count} requests of an address with its name`;
    await findings.answers(own, (status) => status !== 429, nameOf(read), what, wire);
  });
});

export const credentials: readonly Check[] = [longAgo, endedElsewhere, keysOfOne, namedAddresses];
