import 'reflect-metadata';
import { readRules } from '@app/shapes';

const FILTERS = Symbol('sluice.filters');

/** The values by which a caller filters, by member. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * Lets callers filter a list by equality: `?authorId=7`. The rules of the members say which values are valid.
 *
 * @param members of the query class; each has a column of the same name
 * @throws TypeError for a member without a rule: it would be rejected as unknown
 */
export function Filterable<Name extends string>(
  ...members: readonly Name[]
): (query: new () => { readonly [Member in Name]?: unknown }) => void {
  return (query) => {
    const known = new Set(readRules(query, {}).properties.map(({ name }) => name));
    const unknown = members.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new TypeError(`${query.name}.${unknown} has no rule, so that nobody can filter by it`);
    Reflect.defineMetadata(FILTERS, Object.freeze([...members]), query);
  };
}

/** The filters that a validated query has; `undefined` if its class is not {@link Filterable}. */
export function filterOf(query: object): Filter | undefined {
  const members: readonly string[] | undefined = Reflect.getMetadata(FILTERS, query.constructor);
  if (members === undefined) return undefined;
  const given = members.map((name): [string, unknown] => [name, Reflect.get(query, name)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
