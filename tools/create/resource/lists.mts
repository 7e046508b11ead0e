import { choicesName, factsOf } from './field-types.mts';
import type { FieldType } from './field-type.mts';
import type { Field } from './fields.mts';
import { ownerColumns, type Resource, storedName } from './resource.mts';

/** The types that both databases sort by value. Decimals are missing because they are stored as text. */
const SORTED = new Set<FieldType>(['text', 'integer', 'timestamp', 'date']);
/** The types where many rows have the same value. */
const SHARED = new Set<FieldType>(['one-of', 'boolean', 'ref']);

/** The fields by which callers sort the list. */
export function sortsOf({ fields }: Pick<Resource, 'fields'>): readonly Field[] {
  return fields.filter(({ type }) => SORTED.has(type));
}

/** The fields by which callers filter the list. */
export function filtersOf({ fields }: Pick<Resource, 'fields'>): readonly Field[] {
  return fields.filter(({ type, isUnique }) => SHARED.has(type) || (type === 'text' && isUnique));
}

/**
 * Says why callers cannot sort or filter by some fields; `undefined` if they can use all. SQLite lacks exact decimals, so
 * decimals are stored as texts, where `10` comes before `9`, and `1.5` differs from `1.50`.
 */
export function decimalNote({ fields }: Pick<Resource, 'fields'>): string | undefined {
  const names = fields.filter(({ type }) => type === 'decimal').map(({ name }) => name);
  if (names.length === 0) return undefined;
  return `the list is neither sorted nor filtered by ${names.join(', ')}: decimals are stored as exact texts, of which 10 comes before 9. For an order, store an integer of the smallest unit, such as cents`;
}

/** Whether the list has a query class of its own. */
export function hasQuery(resource: Pick<Resource, 'fields'>): boolean {
  return sortsOf(resource).length > 0 || filtersOf(resource).length > 0;
}

/** The list's query class: `TasksQuery`. */
export function queryName({ pluralPascal }: Pick<Resource, 'pluralPascal'>): string {
  return `${pluralPascal}Query`;
}

/** The rules of a field in a query, where every value is a string. */
export function filterRules(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): readonly string[] {
  if (field.type === 'ref') return ['@RowId()'];
  if (field.type === 'boolean') return ['@TrueOrFalse()'];
  if (field.type === 'one-of') return [`@IsIn(${choicesName(resource, field)})`];
  return factsOf(resource, field).rules;
}

/** An index; names as in the database. */
export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Returns the indexes for a field, which serve the list's orders and filters, and the deletion of rows together with the row
 * they refer to. A unique field without null gets its index from the constraint if the list belongs to all callers.
 *
 * @throws Error if a name is too long for PostgreSQL
 */
export function indexesOf(
  { table, owner }: Pick<Resource, 'table' | 'owner'>,
  field: Field,
): readonly Index[] {
  const isListed = SORTED.has(field.type) || SHARED.has(field.type);
  if (!isListed || (field.isUnique && !field.isNullable && owner === undefined)) return [];
  const own = owner ? [indexOf(table, [...ownerColumns({ owner }), field.column, 'id'])] : [];
  const isServed = owner !== undefined && (field.type !== 'ref' || field.target?.owner === 'organization');
  return isServed ? own : [...own, indexOf(table, [field.column, 'id'])];
}

/** A list with the columns of its orders and filters. */
export interface ListColumns extends Pick<Resource, 'table' | 'owner'> {
  readonly sorts: readonly string[];
  /** The filter columns without the unique columns, where each value has a single row. */
  readonly filters: readonly string[];
}

/**
 * Returns the indexes for each pair of filter and order. Otherwise the database sorts all filtered rows for each page.
 *
 * @throws Error if a name is too long for PostgreSQL
 */
export function pairedIndexes({ table, owner, sorts, filters }: ListColumns): readonly Index[] {
  const columns = ownerColumns({ owner });
  return filters.flatMap((filter) => sorts.map((sort) => indexOf(table, [...columns, filter, sort, 'id'])));
}

/** The {@link pairedIndexes} of a new resource. */
export function pairedIndexesOf(resource: Pick<Resource, 'table' | 'owner' | 'fields'>): readonly Index[] {
  const filters = filtersOf(resource).filter(({ isUnique }) => !isUnique);
  return pairedIndexes({ ...resource, sorts: columnsOf(sortsOf(resource)), filters: columnsOf(filters) });
}

/** Returns an index over columns, such as the owner and the id. */
export function indexOf(table: string, columns: readonly string[]): Index {
  return { name: storedName(table, ...columns), columns };
}

function columnsOf(fields: readonly Field[]): readonly string[] {
  return fields.map(({ column }) => column);
}
