import 'reflect-metadata';
import { readRules } from '@app/engine';
import type { ListFault } from './sort-key';

const FILTERS = Symbol('sluice.filters');

/** The values by which a caller filters, by member. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * Lets callers filter a list by equality: `?authorId=7`. The member rules determine the valid values.
 *
 * @param members the members of the query class; each has a rule, and a column with the same name
 */
export function Filterable<Name extends string>(
  ...members: readonly Name[]
): (query: new () => { readonly [Member in Name]?: unknown }) => void {
  return (query) => Reflect.defineMetadata(FILTERS, Object.freeze([...members]), query);
}

/** The members of {@link Filterable} without a rule, which would be rejected as unknown. */
export function filterFaultsOf(query: Function): readonly ListFault[] {
  const declared = new Set(readRules(query, {}).properties.map(({ name }) => name));
  const unknown = filtersOf(query).filter((name) => !declared.has(name));
  return unknown.map((name) => ({
    problem: `${query.name}.${name} has no rule, so that nobody can filter by it`,
    remedy: `Declare ${name} in ${query.name} with a rule, such as @IfGiven() @IsInt()`,
    place: { type: query, member: name },
  }));
}

/** Returns the filters in a validated query; `undefined` if it has no filters. */
export function filterOf(query: object): Filter | undefined {
  const members = filtersOf(query.constructor);
  let filter: Record<string, unknown> | undefined;
  for (const name of members) {
    const value: unknown = Reflect.get(query, name);
    if (value === undefined) continue;
    filter ??= {};
    filter[name] = value;
  }
  return filter;
}

/** The members by which {@link Filterable} lets callers filter; empty for other classes. */
export function filtersOf(query: Function): readonly string[] {
  return membersOf(query) ?? none;
}

const none: readonly string[] = [];

/** The filters by class, cached because metadata is slow to read. */
const cache = new WeakMap<Function, readonly string[] | undefined>();

function membersOf(query: Function): readonly string[] | undefined {
  if (cache.has(query)) return cache.get(query);
  const members: readonly string[] | undefined = Reflect.getMetadata(FILTERS, query);
  cache.set(query, members);
  return members;
}
