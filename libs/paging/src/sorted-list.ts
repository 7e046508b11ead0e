import {
  forAnyTenant,
  placeholdersFor,
  type Queries,
  type Statement,
  statement,
  type Tables,
} from '@app/persistence';
import { type Compilable, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { maxCharacters } from './cursor';
import { linkList } from './missing-indexes';
import type { Slice } from './slice';
import type { SortValue } from './sort-key';

/** Reads a slice of a list in any order; `parameters` has the placeholder values for its rows. */
export type ReadList<Row, Given extends object> = (
  db: Queries,
  slice: Slice,
  parameters: Given,
) => Promise<Row[]>;

/** A list's ordering options. */
export interface ListOptions {
  /** The classes with which callers sort and filter it. The start of a program checks that each order and filter has an index. */
  readonly queries?: readonly Function[];
  /** Whether the list is newest first unless the caller sorts it. Default: oldest first, by id. */
  readonly isNewestFirst?: boolean;
}

/**
 * Declares a list that callers may sort and filter. Each combination is a separate statement, compiled at its first use. With an
 * index on the sorted column and the id, every page costs the same, regardless of its position.
 *
 * @param rows the list without order and limit, from a single table; `parameters` has placeholders, see {@link statement}. The sorted
 *   column and the id are selected under their own names
 */
export function sortedList<From extends keyof Tables, Row extends object, Given extends object = {}>(
  rows: (parameters: Given, db: Queries) => SelectQueryBuilder<Tables, From, Row>,
  { queries = [], ...order }: ListOptions = {},
): ReadList<Row, Given> {
  for (const query of queries)
    linkList(query, (db, by, filter) => {
      const filters = filter === undefined ? [] : [filter];
      const plan: Plan = { by, direction: 'asc', from: 'offset', hasNulls: false, filters };
      const parameters = placeholdersFor<Given & Values>(rows);
      return indexScan(
        filtered(rows(parameters, forAnyTenant(db)), plan, parameters),
        plan,
        parameters,
      ).toOperationNode();
    });
  const statements = new Map<string, Statement<Given & Values, Row>>();
  return (db, slice, parameters) => {
    const plan = planOf(slice, order);
    const key = `${plan.by} ${plan.direction} ${plan.from} ${plan.filters.join(' ')}`;
    const read = statements.get(key) ?? statementOf(rows, plan);
    statements.set(key, read);
    return read.all(db, { ...parameters, ...valuesOf(slice) });
  };
}

/** The properties of a slice that determine its statement: everything but its values. */
interface Plan {
  readonly by: string | undefined;
  readonly direction: 'asc' | 'desc';
  /**
   * The start of the slice. It is an offset, or follows a row: with a value (in an unsorted list, any row), with null, or with a
   * value that the cursor holds only in part: a `moment` to the millisecond, or the `beginning` of a text.
   */
  readonly from: 'offset' | 'value' | 'null' | 'moment' | 'beginning';
  readonly hasNulls: boolean;
  readonly filters: readonly string[];
}

/** The statement values. Filter values have the names from {@link filterName}. */
interface Values {
  readonly limit: number;
  /** The number of rows to skip; 0 after a position. */
  readonly skipped: number;
  /** The sum of `limit` and `skipped`. */
  readonly reach: number;
  readonly after: number | undefined;
  readonly afterValue: SortValue | undefined;
  /** The first value after all values that `afterValue` represents. */
  readonly afterEnd: SortValue | undefined;
}

function planOf(
  { sort, after, afterValue, isAfterCut = false, filter = {} }: Slice,
  { isNewestFirst = false }: ListOptions,
): Plan {
  const isDescending = sort?.isDescending ?? isNewestFirst;
  return {
    by: sort?.name,
    direction: isDescending ? 'desc' : 'asc',
    from: after === undefined ? 'offset' : kindOf(afterValue, isAfterCut),
    hasNulls: sort?.hasNulls ?? false,
    filters: Object.keys(filter),
  };
}

function kindOf(value: SortValue | undefined, isCut: boolean): Plan['from'] {
  if (value === null) return 'null';
  return value instanceof Date ? 'moment' : isCut ? 'beginning' : 'value';
}

function endOf(value: SortValue | undefined): SortValue | undefined {
  if (value instanceof Date) return new Date(value.getTime() + 1);
  return typeof value === 'string' ? `${value}\u{10fffd}` : value;
}

function valuesOf({ limit, offset, after, afterValue, filter }: Slice): Values {
  const skipped = after === undefined ? offset : 0;
  const values: Values & Record<string, unknown> = {
    limit,
    skipped,
    reach: limit + skipped,
    after,
    afterValue,
    afterEnd: endOf(afterValue),
  };
  for (const name in filter) values[filterName(name)] = filter[name];
  return values;
}

function filterName(member: string): string {
  return `filter ${member}`;
}

type Selection<From extends keyof Tables, Row> = SelectQueryBuilder<Tables, From, Row>;

function statementOf<From extends keyof Tables, Row extends object, Given extends object>(
  rows: (parameters: Given, db: Queries) => Selection<From, Row>,
  plan: Plan,
): Statement<Given & Values, Row> {
  return statement((parameters, db) => {
    const all = filtered(rows(parameters, db), plan, parameters);
    if (plan.hasNulls && plan.from !== 'null') return nullsLast(db, all, plan, parameters);
    return indexScan(all, plan, parameters).limit(parameters.limit).offset(parameters.skipped);
  });
}

function filtered<From extends keyof Tables, Row>(
  rows: Selection<From, Row>,
  { filters }: Plan,
  parameters: Values,
): Selection<From, Row> {
  return filters.reduce(
    (query, name) => query.where((is) => is(sql.ref(name), '=', Reflect.get(parameters, filterName(name)))),
    rows,
  );
}

/** Scans the index from the position on, in index order. */
function indexScan<From extends keyof Tables, Row>(
  rows: Selection<From, Row>,
  { by, direction, from }: Plan,
  parameters: Values,
): Selection<From, Row> {
  const { after, afterValue } = parameters;
  const [id, isAfter] = [sql.ref('id'), sql.raw(direction === 'asc' ? '>' : '<')];
  if (by === undefined || from === 'null') {
    const ordered = (by === undefined ? rows : rows.where(isNull(by))).orderBy(id, direction);
    return from === 'offset' ? ordered : ordered.where(sql<SqlBool>`${id} ${isAfter} ${after}`);
  }
  const ordered = rows.orderBy(sql.ref(by), direction).orderBy(id, direction);
  if (from === 'offset') return ordered;
  const value = from === 'value' ? sql`${afterValue}` : exactValue(rows, by, from, direction, parameters);
  return ordered.where(sql<SqlBool>`(${sql.ref(by)}, ${id}) ${isAfter} (${value}, ${after})`);
}

/** The value in the row itself, such as a time to the microsecond. */
function exactValue<From extends keyof Tables, Row>(
  rows: Selection<From, Row>,
  by: string,
  from: 'moment' | 'beginning',
  direction: Plan['direction'],
  { after, afterValue, afterEnd }: Values,
) {
  const column = sql.ref(by);
  const isSame =
    from === 'moment'
      ? sql<SqlBool>`${column} >= ${afterValue} and ${column} < ${afterEnd}`
      : sql<SqlBool>`substr(${column}, 1, ${sql.lit(maxCharacters)}) = ${afterValue}`;
  const row = rows
    .clearSelect()
    .select(column.as('value'))
    .where(sql<SqlBool>`${sql.ref('id')} = ${after}`)
    .where(isSame);
  // Without the row, no text is left out; a moment is that of the millisecond.
  return sql`coalesce((${row}), ${direction === 'desc' && from === 'beginning' ? afterEnd : afterValue})`;
}

/**
 * Sorts null last. The rows with a value and the rows with null are separate index scans, because the databases place null at
 * different ends.
 */
function nullsLast<From extends keyof Tables, Row extends object>(
  db: Queries,
  rows: Selection<From, Row>,
  plan: Plan,
  parameters: Values,
): Compilable<Row> {
  const { by = 'id', direction } = plan;
  const values = indexScan(rows.where(sql<SqlBool>`not ${isNull(by)}`), plan, parameters).limit(
    parameters.reach,
  );
  const nulls = rows.where(isNull(by)).orderBy(sql.ref('id'), direction).limit(parameters.reach);
  const both = sql<Row>`(select * from ${values} as "values" union all select * from ${nulls} as "nulls")`;
  return db
    .selectFrom(both.as('page'))
    .selectAll()
    .orderBy(isNull(by))
    .orderBy(sql.ref(by), direction)
    .orderBy(sql.ref('id'), direction)
    .limit(parameters.limit)
    .offset(parameters.skipped);
}

function isNull(column: string) {
  return sql<SqlBool>`(${sql.ref(column)} is null)`;
}
