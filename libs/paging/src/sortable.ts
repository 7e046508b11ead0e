import 'reflect-metadata';
import { IfGiven, Schema } from '@app/contract';
import type { WireClass } from '@app/engine';
import { IsIn } from 'class-validator';
import type { PaginationQuery } from './pagination-query';
import { type ListFault, type SortKey, sortKeyOf } from './sort-key';

/** The order requested by the caller. */
export interface Sort extends SortKey {
  readonly isDescending: boolean;
}

const SORTS = Symbol('sluice.sorts');
const FAULTS = Symbol('sluice.sort-faults');

/**
 * Lets callers sort a list: `?sort=name`, or `?sort=-name` in descending order. Rows with equal values are sorted by id. Rows
 * with null come last in both directions. Any other value is a 400.
 *
 * A class that initializes `sort` has that order by default: `readonly sort: string = '-dueOn'`.
 *
 * @param type the items' class, as in `@Returns(Page(type))`
 * @param members the sortable members; each has a column with the same name, and an index on that column and the id
 */
export function Sortable<T extends object>(
  type: WireClass<T>,
  ...members: readonly (keyof T & string)[]
): (query: new () => PaginationQuery) => void {
  const read = members.map((name) => sortKeyOf(type, name));
  const keys = new Map(read.flatMap((key) => ('problem' in key ? [] : [[key.name, key] as const])));
  return (query) => {
    Reflect.defineMetadata(
      FAULTS,
      read.filter((key) => 'problem' in key),
      query,
    );
    const { prototype } = query;
    IfGiven()(prototype, 'sort');
    IsIn([...keys.keys()].flatMap((name) => [name, `-${name}`]))(prototype, 'sort');
    Schema({ description: 'Items with a null value come last.' })(prototype, 'sort');
    Reflect.defineMetadata(SORTS, keys, query);
  };
}

/** The members by which {@link Sortable} lets callers sort; empty for other classes. */
export function sortKeysOf(query: Function): ReadonlyMap<string, SortKey> {
  const keys: ReadonlyMap<string, SortKey> | undefined = Reflect.getMetadata(SORTS, query);
  return keys ?? none;
}

/** The members of {@link Sortable} by which no list can be sorted. */
export function sortFaultsOf(query: Function): readonly ListFault[] {
  const faults: readonly ListFault[] | undefined = Reflect.getMetadata(FAULTS, query);
  return faults ?? [];
}

const none: ReadonlyMap<string, SortKey> = new Map();

/** Returns the order in a validated query; `undefined` for the list's own order. */
export function sortOf(query: PaginationQuery): Sort | undefined {
  const { sort } = query;
  if (sort === undefined) return undefined;
  const isDescending = sort.startsWith('-');
  const key = sortKeysOf(query.constructor).get(isDescending ? sort.slice(1) : sort);
  return key && { ...key, isDescending };
}
