import { membersOf, nameOf, type Operation } from '../openapi/openapi.mts';
import type { Caller } from '../target/callers.mts';
import { idIn, idsIn, parametersIn, parsed } from '../target/members.mts';
import { requestOf, validBody } from '../target/requests.mts';
import { isRefusal, Unmade } from '../target/results.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { makeThings } from '../target/things.mts';
import type { Answer } from '../wire/exchange.mts';

const area = 'tenants';
const refused = new Set([403, 404]);

/** The path parameter values by name. */
type PathValues = Readonly<Record<string, string>>;

/** A tenant of each of two accounts, and the operations below it. */
interface Tenants {
  /** A tenant's path: `/organizations/{organizationId}`. */
  readonly path: string;
  /** The parameter with the tenant's id. */
  readonly parameter: string;
  readonly operations: readonly Operation[];
  readonly mine: PathValues;
  readonly theirs: PathValues;
}

/** Calls every operation with the foreign tenant's path, and with foreign ids below the own tenant. */
const ids = check(area, 'another tenant’s ids', (target, findings) =>
  withTenants(target, async ({ operations, mine, theirs, parameter }) => {
    const { callers } = target;
    for (const operation of operations) {
      const things = await findings.unlessSkipped(() =>
        makeThings(target, operation.path, callers.other, theirs),
      );
      const inner = parametersIn(operation.path).filter((name) => name !== parameter);
      const foreign = [things ?? theirs, ...(things && inner.length > 0 ? [{ ...things, ...mine }] : [])];
      for (const path of foreign) {
        const headers = { ...(await callers.user.headers()), ...(await tagOf(target, operation, things)) };
        const attempt = requestOf(operation, { path, headers });
        if (attempt === undefined) findings.lack(`${nameOf(operation)}: the document has no valid body`);
        else await findings.answers(attempt, refused, nameOf(operation), 'for the row of a foreign tenant');
      }
    }
  }),
);

/** Returns the entity tag of a foreign row as a precondition, if its owner gets a tag. */
async function tagOf(
  { operations, wire, callers }: Target,
  { method, path }: Operation,
  things: PathValues | undefined,
): Promise<Record<string, string>> {
  const read = operations.find((operation) => operation.method === 'GET' && operation.path === path);
  if (method === 'GET' || read === undefined || things === undefined) return {};
  const attempt = requestOf(read, { path: things, headers: await callers.other.headers() });
  const { etag } = attempt ? (await wire.send(attempt)).headers : {};
  return etag === undefined ? {} : { 'if-match': etag };
}

/** Reads the own lists plainly, by foreign filters and by a foreign cursor. */
const lists = check(area, 'lists', (target, findings) =>
  withTenants(target, async (tenants) => {
    const { wire, callers, operations } = target;
    const createdIds = new Map<string, string>();
    for (const { list, name, create } of collectionsOf(tenants)) {
      const make = () => makeRow(target, create, name, tenants.theirs, createdIds);
      // The page after the cursor has the second row.
      const [id, next] = [await findings.unlessSkipped(make), await findings.unlessSkipped(make)];
      if (id === undefined) continue;
      createdIds.set(referenceTo(create.path), id);
      const theirs = { ...tenants.theirs, [name]: id };
      const owned = requestOf(list, {
        path: tenants.theirs,
        query: { limit: '1' },
        headers: await callers.other.headers(),
      });
      const cursor = owned && cursorIn(await wire.send(owned));
      if (cursor === undefined) findings.note(`${nameOf(list)} has no further page`);
      const filters = list.parameters.filter(
        (parameter) => parameter.in === 'query' && /id$/i.test(parameter.name),
      );
      const named = filters.map((filter) => ({
        [filter.name]: createdIds.get(filter.name) ?? theirs[filter.name] ?? theirs[tenants.parameter] ?? '',
      }));
      for (const query of [
        {},
        { [tenants.parameter]: theirs[tenants.parameter] ?? '' },
        ...named,
        cursor ?? {},
      ]) {
        const headers = await callers.user.headers();
        const pages = (page: typeof query) => requestOf(list, { path: tenants.mine, query: page, headers });
        const isOwn = (text: string) => idsIn(parsed(text), name).isDisjointFrom(new Set([id, next]));
        const problem = `${nameOf(list)} lists a row of a foreign tenant`;
        findings.expect(await everyPage(target, pages, query, isOwn), problem, pages(query));
      }
    }
    for (const list of operations.filter(isExport)) {
      const attempt = requestOf(list, { headers: await callers.user.headers() });
      const name = await nameOfTheirs(target, tenants);
      if (attempt === undefined || name === undefined) continue;
      const { text } = await wire.send(attempt);
      findings.expect(!text.includes(name), `${nameOf(list)} names a foreign tenant`, attempt);
    }
  }),
);

/** Sends foreign ids and the tenant's id in bodies, and repeats the idempotency key of a foreign request. */
const bodies = check(area, 'bodies and idempotency keys', (target, findings) =>
  withTenants(target, async (tenants) => {
    const { wire, callers } = target;
    const createdIds = new Map<string, string>();
    for (const { create, name } of collectionsOf(tenants)) {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const [path, body] = [tenants.theirs, bodyWith(create, createdIds)];
      const first = requestOf(create, {
        path,
        body,
        headers: { ...headers, ...(await callers.other.headers()) },
      });
      const id = first && idIn(await wire.send(first), name);
      if (id === undefined) {
        findings.lack(`${nameOf(create)} made nothing for other`);
        continue;
      }
      createdIds.set(referenceTo(create.path), id);
      const own = { path: tenants.mine, headers: { ...headers, ...(await callers.user.headers()) } };
      const again = requestOf(create, { ...own, body: bodyWith(create, new Map()) });
      const replay = again && (await wire.send(again));
      findings.expect(
        replay === undefined || replay.status >= 400 || idIn(replay, name) !== id,
        `${nameOf(create)} repeats the response to a foreign tenant`,
        again,
      );
      for (const [member, value] of [
        ...createdIds,
        [tenants.parameter, tenants.theirs[tenants.parameter] ?? ''],
      ]) {
        if (create.body?.properties?.[member] === undefined) continue;
        const changed = { ...Object(validBody(create)), [member]: Number(value) };
        const attempt = requestOf(create, {
          path: tenants.mine,
          body: changed,
          headers: await callers.user.headers(),
        });
        if (attempt) await findings.answers(attempt, isRefusal, nameOf(create), `to a foreign ${member}`);
      }
    }
  }),
);

/** Accepts the invitation of a different e-mail, and calls the operations that a new member's role may not call. */
const invitations = check(area, 'invitations and roles', (target, findings) =>
  withTenants(target, async ({ operations, theirs }) => {
    const { wire, callers, mailsTo } = target;
    const invite = operations.find(({ method, path }) => method === 'POST' && path.endsWith('/invitations'));
    const accept = target.operations.find(({ path }) => path.endsWith('/invitations/accept'));
    if (!invite || !accept || !mailsTo) return findings.note('no invitations, or their mails cannot be read');
    const role = operations.flatMap(({ members = [] }) => members).at(-1);
    const send = async (email: string) => {
      const body = { ...Object(validBody(invite)), email, ...(role !== undefined && { role }) };
      const attempt = requestOf(invite, { path: theirs, body, headers: await callers.other.headers() });
      const status = attempt && (await wire.send(attempt)).status;
      const [token] = await mailsTo(email);
      if (token === undefined) throw new Unmade(`${nameOf(invite)} mailed no token: it answered ${status}`);
      return requestOf(accept, { body: { token }, headers: await callers.user.headers() });
    };
    const foreign = await findings.unlessSkipped(() => send(`guest-${crypto.randomUUID()}@example.com`));
    if (foreign)
      await findings.answers(foreign, isRefusal, nameOf(accept), 'to the invitation of a different e-mail');
    const own = await findings.unlessSkipped(() => send(callers.user.username));
    if (own === undefined) return;
    await findings.answers(own, (status) => status < 300, nameOf(accept), 'to the invitation of the caller');
    for (const operation of operations.filter(
      ({ members = [] }) => role !== undefined && !members.includes(role),
    )) {
      const path =
        (await findings.unlessSkipped(() => makeThings(target, operation.path, callers.other, theirs))) ??
        theirs;
      const attempt = requestOf(operation, { path, headers: await callers.user.headers() });
      if (attempt)
        await findings.answers(attempt, refused, nameOf(operation), 'to a member without the role');
    }
  }),
);

/** Runs a check with a tenant of each account, for each kind of tenants in the document. */
async function withTenants(target: Target, run: (tenants: Tenants) => Promise<void>): Promise<void> {
  const { operations, callers, findings } = target;
  const forMembers = operations.filter(({ members, path }) => members !== undefined && path.includes('{'));
  if (forMembers.length === 0) return findings.note('no route is for the members of a tenant');
  const paths = Map.groupBy(forMembers, ({ path }) => path.slice(0, path.indexOf('}') + 1));
  for (const [path, below] of paths) {
    const own = (owner: Caller) => findings.unlessSkipped(() => makeThings(target, path, owner));
    const [mine, theirs] = [await own(callers.user), await own(callers.other)];
    const [parameter = ''] = parametersIn(path);
    if (mine && theirs) await run({ path, parameter, operations: below, mine, theirs });
  }
}

/** Returns the lists directly below a tenant to which members add rows. Lists without references come first. */
function collectionsOf({ path, operations }: Tenants) {
  const collections = operations.flatMap((create) => {
    if (create.method !== 'POST' || parametersIn(create.path).length !== 1 || create.path === path) return [];
    const list = operations.find((operation) => operation.method === 'GET' && operation.path === create.path);
    const row = operations.find((operation) => operation.path.startsWith(`${create.path}/{`));
    const name = parametersIn(row?.path ?? '').at(-1);
    return list === undefined || name === undefined ? [] : [{ create, list, name }];
  });
  const references = ({ create }: (typeof collections)[number]) =>
    membersOf(create).filter((candidate) => candidate.endsWith('Id')).length;
  return collections.toSorted((first, second) => references(first) - references(second));
}

/** Creates a row of the foreign tenant. @throws Unmade with the status */
async function makeRow(
  { wire, callers }: Target,
  create: Operation,
  name: string,
  path: PathValues,
  createdIds: ReadonlyMap<string, string>,
): Promise<string> {
  const attempt = requestOf(create, {
    path,
    body: bodyWith(create, createdIds),
    headers: await callers.other.headers(),
  });
  const answer = attempt && (await wire.send(attempt));
  const id = answer && idIn(answer, name);
  if (answer && answer.status < 300 && id !== undefined) return id;
  throw new Unmade(`${nameOf(create)} made no ${name} for other: it answered ${answer?.status ?? 'nothing'}`);
}

/** Reads a list to its end, at most a hundred pages, and returns whether each page is right. A refused page is. */
async function everyPage(
  { wire }: Target,
  requestFor: (query: PathValues) => ReturnType<typeof requestOf>,
  first: PathValues,
  isRight: (text: string) => boolean,
): Promise<boolean> {
  let query: PathValues | undefined = first;
  for (let count = 0; query !== undefined && count < 100; count += 1) {
    const attempt = requestFor(query);
    if (attempt === undefined) return true;
    const answer: Answer = await wire.send(attempt);
    if (isRefusal(answer.status)) return true;
    if (!isRight(answer.text)) return false;
    query = cursorIn(answer);
  }
  return true;
}

/** Returns the next page's query. */
function cursorIn({ headers: { link } }: Answer): Record<string, string> | undefined {
  const [, next] = /<([^>]+)>; rel="next"/.exec(String(link)) ?? [];
  return next === undefined ? undefined : Object.fromEntries(new URL(next, 'http://next').searchParams);
}

/** Returns a valid body that refers to created rows. */
function bodyWith(create: Operation, createdIds: ReadonlyMap<string, string>): unknown {
  const members = [...createdIds].filter(([member]) => create.body?.properties?.[member] !== undefined);
  return {
    ...Object(validBody(create)),
    ...Object.fromEntries(members.map(([member, id]) => [member, Number(id)])),
  };
}

/** Returns the member by which bodies refer to the rows of a list: `projectId` for `…/projects`. */
function referenceTo(path: string): string {
  return `${path.split('/').at(-1)?.replace(/s$/, '')}Id`;
}

function isExport({ method, path, security }: Operation): boolean {
  return method === 'GET' && path.endsWith('/export') && security.some(({ roles }) => roles.length === 0);
}

/** Returns the foreign tenant's name; `undefined` if it has none. */
async function nameOfTheirs(
  { operations, wire, callers }: Target,
  { path, theirs }: Tenants,
): Promise<string | undefined> {
  const read = operations.find((operation) => operation.method === 'GET' && operation.path === path);
  const attempt = read && requestOf(read, { path: theirs, headers: await callers.other.headers() });
  const { name }: { readonly name?: unknown } = Object(attempt && parsed((await wire.send(attempt)).text));
  return typeof name === 'string' ? name : undefined;
}

export const tenants: readonly Check[] = [ids, lists, bodies, invitations];
