import { refreshTokenIn } from '../wire/answers.mts';
import { flood } from '../flood/flood.mts';
import { atOnce } from '../target/at-once.mts';
import { compareBaseline } from '../target/baseline.mts';
import { takesBearer, nameOf, type Operation, type Schema } from '../openapi/openapi.mts';
import { type Caller, refreshBy } from '../target/callers.mts';
import { baselineProbe, signInProbe } from '../target/probes.mts';
import { findPasswordChange, findSignUp, makeAccount, ownPath, passwordChange } from '../target/accounts.mts';
import { requestOf } from '../target/requests.mts';
import { sampleOf } from '../openapi/sample.mts';
import { check, type Check, nextSeed, type Target } from '../target/target.mts';
import { makeThings } from '../target/things.mts';
import { type Attempt, jsonAttempt } from '../wire/exchange.mts';
import { isSuccess, isRefusal } from '../target/results.mts';

const area = 'fair shares';
const KB = 1024;

/** The limit for a response in bytes. */
const maxAnswer = 2 * 1024 * KB;
/** Rows that a page may skip. */
const maxSkipped = 10_000;
/** A sign-in hashes a password, in its turn. */
const signInMs = 1000;
/** The number of different requests in a flood. */
const prepared = 5000;
/** A session that is refreshed more often than this in a row is limited. */
const maxRefreshes = 1500;

/** Checks that a flood of sign-ins from an address does not keep other addresses from signing in. */
const signIns = check(area, 'a flood of sign-ins', async (target, findings) => {
  const { signIn, callers } = target;
  if (!signIn || !callers.user.canSignIn) return findings.note('the service has no route to sign in');
  const make = () => {
    const attempt = callers.user.signInAttempt({ name: `nobody-${nextSeed()}@example.com` });
    return { ...attempt, from: target.addresses[1] };
  };
  await floodSignIns(target, 'sign-ins', make);
});

async function floodSignIns(target: Target, title: string, make: () => Attempt): Promise<void> {
  const attempts = Array.from({ length: prepared }, make);
  await compareBaseline(target, {
    title,
    probe: signInProbe(target),
    attack: (...times) => flood(target, target.effort.connections * 3, attempts, ...times),
    shown: make(),
    unnoticedMs: signInMs,
  });
}

/** Checks that a flood of sign-ups from an address does not keep other addresses from signing in. */
const signUps = check(area, 'a flood of sign-ups', async (target, findings) => {
  const { callers, operations } = target;
  const signUp = findSignUp(operations);
  if (!signUp || signUp.security.length > 0 || !callers.user.canSignIn)
    return findings.note('the service has no public route to sign up');
  const make = () => ({ ...(requestOf(signUp) ?? { method: 'GET', path: '/' }), from: target.addresses[2] });
  await floodSignIns(target, 'sign-ups', make);
});

/** The number of accounts at an address that work together. */
const crowd = 40;

/** Checks that many accounts that hash passwords at an address do not stop password changes at other addresses. */
const manyAccounts = check(area, 'many accounts at one address', async (target, findings) => {
  const [, , from] = target.addresses;
  const change = findPasswordChange(target.operations);
  if (!change || from === undefined)
    return findings.note('needs a route that changes a password, and two addresses');
  const owner = await makeAccount(target);
  const others: Caller[] = [];
  // Some are refused: their address is limited.
  await atOnce(Array(crowd), async () => {
    await makeAccount(target, from).then(
      (caller) => others.push(caller),
      () => undefined,
    );
  });
  if (others.length < 2) return findings.lack('one address made fewer than two accounts');
  const changeOf = async (caller: Caller): Promise<Attempt[]> => {
    const body = passwordChange(change, caller, caller.password);
    const headers = await caller.headers();
    const request = requestOf(change, { path: ownPath(change, caller), body, headers });
    return request ? [Object.assign(request, { from: caller.from })] : [];
  };
  const attempts = (await Promise.all(others.map(changeOf))).flat();
  const [shown] = await changeOf(owner);
  if (!shown) return findings.lack(`no request of ${nameOf(change)} can be made`);
  findings.note(`${others.length} accounts`);
  await compareBaseline(target, {
    title: nameOf(change),
    probe: () => target.wire.sendOnce(shown),
    attack: (...times) => flood(target, target.effort.connections, attempts, ...times),
    shown,
    unnoticedMs: signInMs,
  });
});

/** Checks that failed sign-ins from an address do not lock an account for its owner. */
const lockout = check(area, 'an account locked by others', async (target, findings) => {
  const { signIn, callers, wire, addresses } = target;
  const from = addresses[3];
  if (!signIn || !callers.other.canSignIn || from === undefined)
    return findings.note('needs a route to sign in, and two addresses');
  const attempt = { ...callers.other.signInAttempt({ password: 'a wrong password' }), from };
  await callers.other.signIn();
  await atOnce(Array(40), () => wire.send(attempt));
  const { status } = await callers.other.signIn();
  const problem = `after 40 failures from another address the owner's sign-in is answered ${status}`;
  findings.expect(isSuccess(status), problem, attempt);
});

/** Checks that a list of large rows is cut before its response delays other callers. */
const largeResponses = check(area, 'lists of large rows', async (target, findings) => {
  for (const list of target.operations.filter(isList)) {
    const create = target.operations.find(
      (operation) => operation.method === 'POST' && operation.path === list.path && takesBearer(operation),
    );
    if (!create?.body || !Object.values(create.body.properties ?? {}).some(({ type }) => type === 'array'))
      continue;
    const filled = await fill(target, create);
    if (filled.count === 0) findings.lack(`${nameOf(create)} made no row: it answered ${filled.status}`);
    const attempt: Attempt = {
      method: 'GET',
      path: `${list.path}?${largestPage(list)}`,
      headers: await target.callers.other.headers(),
    };
    const { text, status } = await target.wire.send(attempt);
    findings.note(`${nameOf(list)}: ${Math.round(text.length / KB)} KB`);
    const problem = `${nameOf(list)} answers ${status} with ${text.length} bytes`;
    findings.expect(text.length <= maxAnswer, problem, attempt);
    await compareBaseline(target, {
      title: nameOf(list),
      probe: baselineProbe(target),
      attack: (...times) => flood(target, 8, [attempt], ...times),
      shown: attempt,
    });
  }
  if (findings.cases === 0) findings.note('no list has rows that an account can make large');
});

/** Creates as many rows as a page holds, each as large as the service accepts. */
async function fill(
  { wire, callers }: Target,
  create: Operation,
): Promise<{ readonly count: number; readonly status: number }> {
  const rows = 100;
  let body = largestBody(create, 90 * KB);
  let [count, status] = [0, 0];
  for (let tries = 0; tries < rows; tries += 1) {
    ({ status } = await wire.send(jsonAttempt('POST', create.path, body, await callers.other.headers())));
    if (status < 300) count += 1;
    else if (status === 413 && JSON.stringify(body).length > KB)
      body = largestBody(create, JSON.stringify(body).length / 2);
    else break;
  }
  return { count, status };
}

/** Makes a body with lists as long as the schema and the number of bytes permit. */
function largestBody({ body = {} }: Operation, bytes: number): unknown {
  const lists = Object.entries(body.properties ?? {}).filter(([, { type }]) => type === 'array');
  const long = lists.map(([name, { items = {}, maxItems = Infinity }]) => {
    const item = sampleOf({ ...items, properties: withoutPadding(items.properties) }, 1);
    const count = Math.min(
      maxItems,
      Math.floor(bytes / lists.length / (JSON.stringify(item ?? 1).length + 1)),
    );
    return [name, Array.from({ length: count }, () => item)];
  });
  return { ...Object(sampleOf(body, nextSeed())), ...Object.fromEntries(long) };
}

/** Shortens the texts in a schema, because short texts allow the most rows in a body. */
function withoutPadding(properties: Readonly<Record<string, Schema>> = {}): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      { ...part, maxLength: Math.max(1, part.minLength ?? 1) },
    ]),
  );
}

/** Checks that a page far from the start is refused, because skipping rows costs as much as reading them. */
const deepPages = check(area, 'deep pages', async (target, findings) => {
  const { callers, wire, operations } = target;
  for (const list of operations.filter((operation) => operation.method === 'GET' && takesBearer(operation))) {
    const page = list.parameters.find(({ name }) => /^(?:page|offset|skip)$/i.test(name));
    if (!page) continue;
    const caller = list.security.some(({ roles }) => roles.length === 0) ? callers.other : callers.admin;
    const things = await findings.unlessSkipped(() => makeThings(target, list.path, caller));
    const first = things && requestOf(list, { path: things, headers: await caller.headers() });
    if (first === undefined) continue;
    const { status: readable } = await wire.send(first);
    if (readable >= 300) findings.lack(`${nameOf(list)} answers ${readable} to its first page`);
    const deep = `${largestPage(list)}&${page.name}=${Math.min(page.schema.maximum ?? 90_000, 90_000)}`;
    const attempt: Attempt = {
      ...first,
      path: `${first.path}${first.path.includes('?') ? '&' : '?'}${deep}`,
    };
    await findings.answers(
      attempt,
      isRefusal,
      nameOf(list),
      `to a page that skips more than ${maxSkipped} rows`,
    );
  }
  if (findings.cases === 0) findings.note('no list has pages by number');
});

/** Checks that the service limits a session's refreshes. */
const refreshes = check(area, 'refreshes without an end', async (target, findings) => {
  const {
    refresh,
    callers,
    wire,
    addresses: [from],
  } = target;
  if (!refresh || !callers.other.canSignIn) return findings.note('the service has no refresh tokens');
  let { refreshToken: token } = await callers.other.openSession(refresh);
  let turns = 0;
  while (token !== undefined && turns <= maxRefreshes) {
    token = refreshTokenIn((await wire.send(refreshBy(refresh, token, from))).text);
    turns += 1;
  }
  findings.note(`${turns} refreshes`);
  findings.expect(turns <= maxRefreshes, `a session was refreshed ${turns} times in a row without a limit`);
});

/** Checks how a baseline caller is affected by a caller who sends as many requests as possible. */
const plainFlood = check(area, 'a flood of valid requests', async (target, findings) => {
  const list =
    target.operations.find((operation) => isList(operation)) ??
    target.operations.find(({ method, security }) => method === 'GET' && security.length === 0);
  if (!list) return findings.note('no route to read');
  const headers = list.security.length > 0 ? await target.callers.other.headers() : {};
  const attempt: Attempt = { method: 'GET', path: list.path, headers, from: target.addresses[0] };
  await compareBaseline(target, {
    title: nameOf(list),
    probe: baselineProbe(target),
    attack: (...times) => flood(target, target.effort.connections, [attempt], ...times),
    shown: attempt,
  });
});

function isList({ method, path, parameters, security }: Operation): boolean {
  return (
    method === 'GET' &&
    !path.includes('{') &&
    security.some(({ kind, roles }) => kind === 'bearer' && roles.length === 0) &&
    parameters.some(({ name }) => pageSize.test(name))
  );
}

const pageSize = /^(?:limit|page_?size|per_?page|take)$/i;

/** The largest page's query. */
function largestPage({ parameters }: Operation): string {
  return parameters
    .filter(({ name }) => pageSize.test(name))
    .map(({ name, schema }) => `${name}=${schema.maximum ?? 1000}`)
    .join('&');
}

export const floods: readonly Check[] = [
  plainFlood,
  largeResponses,
  deepPages,
  refreshes,
  signIns,
  // Before the flood of sign-ups, after which its address may make no account.
  manyAccounts,
  signUps,
  lockout,
];
