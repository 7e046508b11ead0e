import { takesBearer, nameOf, type Operation } from '../openapi/openapi.mts';
import { isOfAccounts } from '../target/accounts.mts';
import { idIn, idsIn, isMemberOf, parametersIn, parsed } from '../target/members.mts';
import { endsOwnSession, requestOf, validBody } from '../target/requests.mts';
import { check, type Check, type Target } from '../target/target.mts';
import { makeThings, needsRole } from '../target/things.mts';

const area = 'authorization';
const refused = new Set([403, 404]);

/** The path parameter values by name. */
type PathValues = Readonly<Record<string, string>>;

/** Checks that a caller without the required role is refused, even if the resource exists. */
const roles = check(area, 'another role', async (target, findings) => {
  const { operations, callers } = target;
  const limited = operations.filter((operation) => takesBearer(operation) && needsRole(operation));
  if (limited.length === 0) return findings.note('no route names a role');
  for (const operation of limited) {
    const path = await findings.unlessSkipped(() => makeThings(target, operation.path, callers.other));
    const attempt = requestOf(operation, { path, headers: await callers.user.headers() });
    if (attempt === undefined) {
      findings.lack(`${nameOf(operation)}: the document has no valid body`);
      continue;
    }
    const { status } = await findings.answers(
      attempt,
      refused,
      nameOf(operation),
      'to a caller without the role',
    );
    if (path === undefined && status === 404)
      findings.lack(`${nameOf(operation)} answers 404 for a thing that nothing has made`);
  }
});

/** Checks that a caller cannot change or remove foreign resources, or read them unless they are listed for every caller. */
const others = check(area, 'another’s ids', async (target, findings) => {
  for (const member of membersOfAccounts(target.operations)) {
    const things = await findings.unlessSkipped(() => makeThings(target, member.path, target.callers.other));
    if (things !== undefined) await expectApart(target, member, things);
  }
  if (findings.cases === 0)
    findings.note('no account can make a thing of its own, or no thing has a route by id');
});

/** Returns an operation by id for each collection to which an account may add, and for the accounts. */
function membersOfAccounts(operations: readonly Operation[]): Operation[] {
  const byPath = new Map<string, Operation>();
  for (const operation of operations) {
    const collection = operation.path.replace(/\/\{[^}]+\}$/, '');
    if (collection === operation.path) continue;
    const creates = operations.filter(({ method, path }) => method === 'POST' && path === collection);
    if (isOfAccounts(operation) || creates.some((create) => takesBearer(create) && !needsRole(create)))
      byPath.set(collection, byPath.get(collection) ?? operation);
  }
  return [...byPath.values()];
}

async function expectApart(target: Target, member: Operation, values: PathValues): Promise<void> {
  const [name = ''] = parametersIn(member.path).slice(-1);
  const collection = member.path.slice(0, member.path.lastIndexOf('/'));
  const { operations, callers, wire, findings } = target;
  const isShared = await isListed(target, collection, values, name);
  for (const operation of operations.filter((candidate) => candidate.path.startsWith(`${collection}/{`))) {
    const [own = name] = parametersIn(operation.path.slice(collection.length));
    const path = { ...values, [own]: values[name] ?? '' };
    const isMember = isMemberOf(operation, collection);
    const isRead = operation.method === 'GET';
    // What is below a thing may be for everybody, as the picture of an account is.
    if ((isShared || isOfAccounts(member)) && (isRead ? isShared || !isMember : !isMember)) continue;
    if (endsOwnSession(operation) || !takesBearer(operation)) continue;
    if (isRead && isMember && !needsRole(operation)) {
      const owned = requestOf(operation, { path, headers: await callers.other.headers() });
      const status = owned && (await wire.send(owned)).status;
      if (status !== undefined && status >= 300)
        findings.lack(`${nameOf(operation)} answers ${status} to the account that made the ${own}`);
    }
    const attempt = requestOf(operation, { path, headers: await callers.user.headers() });
    if (attempt === undefined) {
      findings.lack(`${nameOf(operation)}: the document has no valid body`);
      continue;
    }
    await findings.answers(attempt, refused, nameOf(operation), 'for what belongs to another account');
  }
}

/** Whether the list that the first account gets has the thing. */
async function isListed(
  { wire, operations, callers }: Target,
  collection: string,
  values: PathValues,
  parameter: string,
): Promise<boolean> {
  const list = operations.find((operation) => operation.method === 'GET' && operation.path === collection);
  if (!list) return false;
  for (let page = 1; page <= 20; page += 1) {
    const query: Record<string, string> = {};
    for (const { name, schema } of list.parameters) {
      if (/^(?:limit|page_?size|per_?page)$/i.test(name))
        query[name] = String(Math.min(100, schema.maximum ?? 100));
      if (name === 'page') query[name] = String(page);
    }
    const attempt = requestOf(list, { query, path: values, headers: await callers.user.headers() });
    const answer = attempt && (await wire.send(attempt));
    if (answer === undefined || answer.status !== 200) return false;
    if (idsIn(parsed(answer.text), parameter).has(values[parameter] ?? '')) return true;
    if (!('page' in query) || /"nextPage":null|\[\]/.test(answer.text)) return false;
  }
  return false;
}

/** Checks that a refusal does not reveal the values of a resource in a different account. */
const othersValues = check(area, 'another’s values', async (target, findings) => {
  const { operations, callers, wire } = target;
  for (const create of operations.filter(
    (operation) => operation.method === 'POST' && isOwned(operation, operations),
  )) {
    const body = validBody(create);
    const [first, second] = await Promise.all(
      [callers.other, callers.user].map(async (caller) =>
        requestOf(create, { body, headers: await caller.headers() }),
      ),
    );
    if (!first || !second) continue;
    const answer = await wire.send(first);
    const [name = ''] = parametersIn(memberOf(create, operations)?.path ?? '');
    const id = idIn(answer, name);
    if (answer.status >= 300 || id === undefined) {
      findings.lack(`${nameOf(create)} made nothing for other: it answered ${answer.status}`);
      continue;
    }
    if (await isListed(target, create.path, { [name]: id }, name)) continue;
    await findings.answers(
      second,
      (status) => status !== 409,
      nameOf(create),
      'to a value that a thing of another account has',
    );
  }
  if (findings.cases === 0) findings.note('no account can make a thing of its own');
});

/** Whether an account can make things of its own, each with a route by id. */
function isOwned(create: Operation, operations: readonly Operation[]): boolean {
  return (
    create.body !== undefined &&
    !create.path.includes('{') &&
    takesBearer(create) &&
    !needsRole(create) &&
    !isOfAccounts(create) &&
    memberOf(create, operations) !== undefined
  );
}

function memberOf({ path }: Operation, operations: readonly Operation[]): Operation | undefined {
  return operations.find(
    (operation) =>
      operation.method === 'GET' &&
      operation.path.startsWith(`${path}/{`) &&
      /\/\{[^}]+\}$/.test(operation.path),
  );
}

export const authorization: readonly Check[] = [roles, others, othersValues];
