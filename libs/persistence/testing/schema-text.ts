import { sql } from 'kysely';
import { type Database } from '../src/database/database';
import { type TableDefinition } from '../src/schema/define-table';

interface Line {
  readonly owner: string;
  readonly line: string;
}

/**
 * Tables of a database with their columns, constraints and indexes: one line each, so that a change of one is read as a change of a line.
 *
 * @param tables those that are described
 */
export async function schemaText(db: Database, tables: readonly TableDefinition[]): Promise<string> {
  const { rows } = await (db.dialect === 'postgres' ? ofPostgres : ofSqlite).execute(db);
  const names = new Set(tables.map(({ name }) => snakeCased(name)));
  const described = rows.filter(({ owner }) => names.has(owner));
  return [...Map.groupBy(described, ({ owner }) => owner)]
    .map(([table, lines]) => tableText(table, lines))
    .join('\n');
}

function tableText(table: string, lines: readonly Line[]): string {
  const text = lines.flatMap(({ line }) => line.split('\n')).map((line) => `  ${line}\n`);
  return `${table}\n${text.join('')}`;
}

function snakeCased(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQLite stores the statement, with the columns and constraints apart by commas. */
const ofSqlite = sql<Line>`
  select tbl_name as owner, case type
    when 'table' then replace(replace(substr(sql, instr(sql, '(') + 1), ', "', char(10) || '"'), ', constraint', char(10) || 'constraint')
    else sql end as line
  from sqlite_schema
  where sql is not null and name not like 'sqlite_%'
  order by tbl_name, type = 'index', name`;

const ofPostgres = sql<Line>`
  with tables as (
    select oid, relname::text as owner from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  ), lines as (
    select owner, 1 as part, attnum as place, concat_ws(' ', attname, format_type(atttypid, atttypmod),
      case attidentity when 'a' then 'generated always as identity' end,
      case when attnotnull then 'not null' end,
      'default ' || pg_get_expr(adbin, adrelid)) as line
    from tables
    join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select owner, 2, 0, concat_ws(' ', 'constraint', conname, pg_get_constraintdef(pg_constraint.oid))
    from tables join pg_constraint on conrelid = tables.oid where contype <> 'n'
    union all
    select owner, 3, 0, pg_get_indexdef(indexrelid)
    from tables join pg_index on indrelid = tables.oid
    where not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
  )
  select owner, line from lines order by owner, part, place, line`;
