import { sql } from 'kysely';
import { type Database } from '../database/database';
import { readTableIndexes } from '../database/table-indexes';
import { snakeCase } from '../dialects/column-names';
import { TenantKeyError } from '../errors';
import { isOn } from '../schema/define-table';
import { type MigrationHistory } from '../schema/migration';

/**
 * Checks that the unique keys of each tenant table begin with the tenant column, and that its foreign keys to tenant tables
 * include the column. Otherwise rows of two tenants could conflict or refer to each other. Changes nothing.
 *
 * @throws {TenantKeyError} with the keys
 */
export async function checkTenantKeys(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const tables = tenantTablesOf(db, histories);
  const names = new Set(tables.map(({ table }) => table));
  const faults: string[] = [];
  for (const { table, column } of tables) {
    const unique = (await readTableIndexes(db, table)).filter(({ isUnique }) => isUnique);
    for (const { columns } of unique)
      if (columns[0] !== column && !isRowId(db, columns))
        faults.push(`the unique key (${columns.join(', ')}) of ${table} does not begin with ${column}`);
    for (const { target, columns } of await foreignKeysOf(db, table))
      if (names.has(target) && !columns.includes(column))
        faults.push(`the foreign key (${columns.join(', ')}) of ${table} to ${target} lacks ${column}`);
  }
  if (faults.length > 0) throw new TenantKeyError(faults);
}

/** Returns the tenant tables of histories, with their tenant columns. */
export function tenantTablesOf(
  { dialect }: Database,
  histories: readonly MigrationHistory[],
): readonly { readonly table: string; readonly column: string }[] {
  return histories
    .flatMap(({ tables = [] }) => tables)
    .filter((table) => isOn(table, dialect))
    .flatMap(({ name, tenant }) =>
      tenant === undefined ? [] : [{ table: snakeCase(name), column: snakeCase(tenant) }],
    );
}

/** Whether a key is the generated id of SQLite, which can be a key of its own only. */
function isRowId({ dialect }: Database, columns: readonly string[]): boolean {
  return dialect === 'sqlite' && columns.length === 1 && columns[0] === 'id';
}

interface KeyColumn {
  readonly key: number;
  readonly target: string;
  readonly column: string;
}

async function foreignKeysOf(
  db: Database,
  table: string,
): Promise<readonly { readonly target: string; readonly columns: readonly string[] }[]> {
  const { rows } = await (db.dialect === 'sqlite' ? ofSqlite(table) : ofPostgres(table)).execute(db);
  return [...Map.groupBy(rows, ({ key }) => key).values()].map((columns) => ({
    target: columns[0]?.target ?? '',
    columns: columns.map(({ column }) => column),
  }));
}

function ofSqlite(table: string) {
  return sql<KeyColumn>`select id as "key", "table" as "target", "from" as "column" from pragma_foreign_key_list(${table})`;
}

function ofPostgres(table: string) {
  return sql<KeyColumn>`
    select c.oid as "key", t.relname as "target", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.confrelid
    cross join unnest(c.conkey) k(attnum)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
    where c.contype = 'f' and c.conrelid = to_regclass(quote_ident(${table}))`;
}
