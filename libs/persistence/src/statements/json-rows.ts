import { type AliasedExpression, type Expression, PostgresAdapter, sql, type SqlBool } from 'kysely';
import { type Queries } from '../tenants/queries';
import { bindable } from '../dialects/bindable';
import { jsonMark } from '../dialects/row-reader';
import { UnstorableTextError } from '../errors';
import { computed } from './placeholder';

/**
 * Selects the rows of a subquery as a single value: an array of objects with the given members, in order. Only for texts and
 * numbers, since JSON has no dates. Name the selection with {@link asJson}.
 */
export function jsonRows<Row extends object>(
  db: Queries,
  rows: Expression<Row>,
  members: readonly (keyof Row & string)[],
): Expression<Row[]> {
  const [group, object] = isPostgres(db)
    ? [sql.raw('json_agg'), sql.raw('json_build_object')]
    : [sql.raw('json_group_array'), sql.raw('json_object')];
  const pairs = members.flatMap((member) => [sql.lit(member), sql.ref(`row.${member}`)]);
  return sql<Row[]>`(select coalesce(${group}(${object}(${sql.join(pairs)})), '[]') from ${rows} as "row")`;
}

/** Names a selected JSON value. The column name marks it, because SQLite has no JSON type. */
export function asJson<Value, Name extends string>(
  json: Expression<Value>,
  name: Name,
): AliasedExpression<Value, Name> {
  return sql<Value>`${json}`.as<Name>(sql.id(name + jsonMark));
}

/**
 * Creates a table from rows passed to a statement, in a single parameter regardless of their number. Strings only.
 *
 * @param values a member in the statement's first argument
 * @returns the members, and the position from 0, as the table `given`
 */
export function givenRows<Row extends Record<keyof Row, string>>(
  db: Queries,
  values: readonly Row[],
  members: readonly (keyof Row & string)[],
): AliasedExpression<Row & { position: number }, 'given'> {
  const json = sql.val(computed(values, (rows) => jsonOfValues(rows, members)));
  const columns = sql.join(members.map((member, at) => sql`value ->> ${sql.lit(at)} as ${sql.id(member)}`));
  const table = isPostgres(db)
    ? sql<Row & { position: number }>`(select ordinality - 1 as position, ${columns}
        from json_array_elements(${json}::json) with ordinality as "row" (value, ordinality))`
    : sql<Row & { position: number }>`(select key as position, ${columns} from json_each(${json}))`;
  return table.as('given');
}

/**
 * Tests whether a text is in a list passed to a statement, in a single parameter regardless of its length.
 *
 * @param texts a member in the statement's first argument
 */
export function isOneOf(
  db: Queries,
  text: Expression<string>,
  texts: readonly string[],
): Expression<SqlBool> {
  const json = sql.val(computed(texts, jsonOf));
  return isPostgres(db)
    ? sql`${text} = any (array(select json_array_elements_text(${json}::json)))`
    : sql`${text} in (select value from json_each(${json}))`;
}

/** Tests whether a key is in a subquery, which runs first. Otherwise PostgreSQL may join the two and read the whole table. */
export function isAmong<Key extends string | number>(
  db: Queries,
  key: Expression<Key>,
  keys: Expression<{ readonly [column: string]: Key }>,
): Expression<SqlBool> {
  return isPostgres(db) ? sql`${key} = any (array(${keys}))` : sql`${key} in (${keys})`;
}

/**
 * Returns the text for a JSON column.
 *
 * @throws {UnstorableTextError} if a text or name in the value cannot be stored
 */
export function jsonText(value: object): string {
  return JSON.stringify(value, (member, content: unknown) => {
    storable(member, member);
    return storable(member, content);
  });
}

/**
 * Writes each row as a value array. SQLite reads an array in half the time.
 *
 * @throws {UnstorableTextError} for each unstorable text, which JSON would hide
 */
function jsonOfValues<Row extends object>(
  rows: readonly Row[],
  members: readonly (keyof Row & string)[],
): string {
  return JSON.stringify(rows.map((row) => members.map((member) => storable(member, row[member]))));
}

/** @throws {UnstorableTextError} for each unstorable text, which JSON would hide */
function jsonOf(rows: unknown): string {
  return JSON.stringify(rows, storable);
}

function storable(member: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return bindable(value);
  } catch (error) {
    throw error instanceof UnstorableTextError ? error.inColumn(member) : error;
  }
}

function isPostgres(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
