import type { Caller } from '../target/callers.mts';
import { nameOf, type Operation } from '../openapi/openapi.mts';
import { idIn, isMemberOf, parametersIn, parsed } from '../target/members.mts';
import { endsOwnSession, requestOf, takesBearer, validBody } from '../target/requests.mts';
import type { Findings } from '../target/results.mts';
import type { Check, Target } from '../target/target.mts';

const area = 'authorization';

/** A caller without the role of a route is refused. */
const roles: Check = {
  area,
  name: 'another role',
  run: async ({ operations, callers, wire }, findings) => {
    const limited = operations.filter(
      (one) => takesBearer(one) && one.security.every((way) => way.roles.length > 0),
    );
    if (limited.length === 0) return findings.note('no route names a role');
    for (const operation of limited) {
      const attempt = requestOf(operation, { headers: await callers.user.headers() });
      if (attempt === undefined) continue;
      const { status } = await wire.send(attempt);
      findings.expect(
        [403, 404].includes(status),
        `${nameOf(operation)} answers ${status} to a caller without the role`,
        attempt,
      );
    }
  },
};

/** Resources of another account cannot be changed or removed, nor read unless they are listed for every caller. */
const others: Check = {
  area,
  name: 'another’s ids',
  run: async (target, findings) => {
    for (const [collection, id] of await othersThings(target)) {
      const isShared = await isListed(target, collection, id);
      const routes = target.operations.filter((one) => isMemberOf(one, collection) && !endsOwnSession(one));
      for (const operation of routes) {
        if (operation.method === 'GET' && (isShared || !takesBearer(operation))) continue;
        await expectHidden(target, findings, operation, id);
      }
    }
    if (findings.cases === 0)
      findings.note('no account could make a thing of its own, or none has a route by id');
  },
};

async function expectHidden(
  { wire, callers }: Target,
  findings: Findings,
  operation: Operation,
  id: string,
): Promise<void> {
  const [name = ''] = parametersIn(operation.path);
  const attempt = requestOf(operation, { path: { [name]: id }, headers: await callers.user.headers() });
  if (attempt === undefined || !takesBearer(operation)) return;
  const { status } = await wire.send(attempt);
  findings.expect(
    [403, 404].includes(status),
    `${nameOf(operation)} answers ${status} for what belongs to another account`,
    attempt,
  );
}

/** Things of the second account, by the path of their collection: what it can make, and the account itself. */
async function othersThings(target: Target): Promise<[collection: string, id: string][]> {
  const { operations, callers } = target;
  const made: [string, string][] = [];
  for (const operation of operations) {
    const isCollection =
      operation.method === 'POST' && operations.some((one) => isMemberOf(one, operation.path));
    if (!isCollection || !takesBearer(operation) || operation.security.every((way) => way.roles.length > 0))
      continue;
    const id = await make(target, operation, callers.other);
    if (id !== undefined) made.push([operation.path, id]);
  }
  const { id } = callers.other;
  const accounts = operations.filter(({ path }) =>
    /\/(?:users|accounts|members|profiles|customers)\/\{[^}]+\}$/.test(path),
  );
  const own = new Set(accounts.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
  return id === undefined ? made : [...made, ...[...own].map((path): [string, string] => [path, id])];
}

async function make(
  { wire, operations }: Target,
  operation: Operation,
  caller: Caller,
): Promise<string | undefined> {
  const body = validBody(operation);
  const attempt = requestOf(operation, { body, headers: await caller.headers() });
  if (attempt === undefined) return undefined;
  const answer = await wire.send(attempt);
  const member = operations.find((one) => isMemberOf(one, operation.path));
  return answer.status < 300 ? idIn(answer, parametersIn(member?.path ?? '')[0] ?? 'id') : undefined;
}

/** Whether the list that the first account gets has the thing. */
async function isListed(
  { wire, operations, callers }: Target,
  collection: string,
  id: string,
): Promise<boolean> {
  const list = operations.find((one) => one.method === 'GET' && one.path === collection);
  if (!list) return false;
  const [parameter = 'id'] = parametersIn(operations.find((one) => isMemberOf(one, collection))?.path ?? '');
  for (let page = 1; page <= 20; page += 1) {
    const query: Record<string, string> = {};
    for (const { name, schema } of list.parameters) {
      if (/^(?:limit|page_?size|per_?page)$/i.test(name))
        query[name] = String(Math.min(100, schema.maximum ?? 100));
      if (name === 'page') query[name] = String(page);
    }
    const attempt = requestOf(list, { query, headers: await callers.user.headers() });
    const answer = attempt && (await wire.send(attempt));
    if (answer === undefined || answer.status !== 200) return false;
    if (idsIn(parsed(answer.text), parameter).has(id)) return true;
    if (!('page' in query) || /"nextPage":null|\[\]/.test(answer.text)) return false;
  }
  return false;
}

/** What stands under the name of the parameter, or under `id`, in a list: a page is no id. */
function idsIn(value: unknown, name: string, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [member, part] of Object.entries(value)) {
    if (typeof part === 'object') idsIn(part, name, found);
    else if (member === name || member === 'id') found.add(String(part));
  }
  return found;
}

export const authorization: readonly Check[] = [roles, others];
