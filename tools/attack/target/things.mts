import { nameOf, type Operation } from '../openapi/openapi.mts';
import { isOfAccounts, makeAccount } from './accounts.mts';
import type { Caller } from './callers.mts';
import { idIn } from './members.mts';
import { requestOf } from './requests.mts';
import { NotOffered, Unmade } from './results.mts';
import type { Target } from './target.mts';

/**
 * Creates the resources that a path names, from the left: a team and a note for `/teams/{team}/notes/{id}`.
 *
 * @param owner creates each resource that needs no role; an administrator creates the rest
 * @param knownIds the values of resources that exist
 * @returns the parameter values by name
 * @throws NotOffered if a resource has no route that creates it
 * @throws Unmade if a route refuses, with its name and the reason
 */
export async function makeThings(
  target: Target,
  path: string,
  owner: Caller,
  knownIds: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const [, collection = '', name] = /^(.*)\/\{([^}]+)\}[^{]*$/.exec(path) ?? [];
  if (name === undefined) return {};
  if (name in knownIds) return knownIds;
  const { operations, wire, callers } = target;
  const outer = await makeThings(target, collection, owner, knownIds);
  const create = operations.find((operation) => operation.method === 'POST' && operation.path === collection);
  if (isOfAccounts({ path: `${collection}/{${name}}` }) && owner.id !== undefined)
    return { ...outer, [name]: owner.id };
  if (create === undefined) throw new NotOffered(`no route makes what ${path} names`);
  const caller = needsRole(create) ? callers.admin : owner;
  const attempt = requestOf(create, { path: outer, headers: await caller.headers() });
  if (attempt === undefined) throw new Unmade(`${nameOf(create)}: the document has no valid body`);
  const answer = await wire.send(attempt);
  const id = answer.status < 300 ? idIn(answer, name) : undefined;
  if (id !== undefined) return { ...outer, [name]: id };
  throw new Unmade(`${nameOf(create)} made no ${name} for ${caller.name}: it answered ${answer.status}`);
}

/**
 * Creates the resources that a path names, for a new account, as far as the service has routes that create them: the team for
 * `/teams/{team}/members/{id}`, if members are not created by a request.
 */
export async function makeOwnedThings(
  target: Target,
  path: string,
): Promise<{ readonly owner: Caller; readonly path: Readonly<Record<string, string>> }> {
  const owner = await makeAccount(target);
  return { owner, path: await makeOfferedThings(target, path, owner) };
}

async function makeOfferedThings(
  target: Target,
  path: string,
  owner: Caller,
): Promise<Readonly<Record<string, string>>> {
  for (let part = path; part.includes('{'); part = part.slice(0, part.lastIndexOf('/{'))) {
    try {
      return await makeThings(target, part, owner);
    } catch (error) {
      if (!(error instanceof NotOffered)) throw error;
    }
  }
  return {};
}

/** Whether an operation is for callers with a role alone. */
export function needsRole({ security }: Operation): boolean {
  return security.length > 0 && security.every(({ roles }) => roles.length > 0);
}
