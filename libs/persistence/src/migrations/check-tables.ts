import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Database } from '../database/database';
import { snakeCase } from '../dialects/column-names';
import { SchemaDriftError } from '../errors';
import { isOn } from '../schema/define-table';
import { type MigrationHistory } from '../schema/migration';

/** Runs a query without parameters, which selects a `name`. */
type Read = (query: string) => Promise<readonly { readonly name: string }[]>;

/**
 * Checks that the database has each declared table and column. A history with pending migrations is not compared. Changes nothing.
 *
 * @throws {SchemaDriftError} with those that are missing
 */
export async function checkTables(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const missing = await withReader(db, async (read) => {
    const columns = new Set((await read(columnsOf[db.dialect])).map(({ name }) => name));
    if (!columns.has('schema_migration.owner')) return [];
    const rows = await read(`select owner || '/' || name as name from schema_migration`);
    const applied = new Set(rows.map(({ name }) => name));
    return histories
      .filter(({ owner, migrations }) =>
        Object.keys(migrations).every((name) => applied.has(`${owner}/${name}`)),
      )
      .flatMap(({ owner, tables = [] }) => tables.map((table) => ({ owner, ...table })))
      .filter((table) => isOn(table, db.dialect))
      .map(({ owner, name, secrecy, migrations = {} }) => ({
        columns: Object.keys(secrecy)
          .map((column) => snakeCase(`${name}.${column}`))
          .filter((column) => !columns.has(column)),
        migrations: Object.keys(migrations).map((migration) => `${owner}/${migration}`),
      }))
      .filter((table) => table.columns.length > 0);
  });
  if (missing.length > 0)
    throw new SchemaDriftError(
      missing.flatMap((table) => table.columns),
      missing.flatMap((table) => table.migrations),
    );
}

/** On SQLite a connection that only reads: another connection would convert a file that is not in WAL mode. */
async function withReader<T>(db: Database, work: (read: Read) => Promise<T>): Promise<T> {
  if (db.dialect === 'postgres')
    return work(async (query) => (await sql<{ name: string }>`${sql.raw(query)}`.execute(db)).rows);
  const file = new DatabaseSync(db.place, { readOnly: true, timeout: 5_000 });
  try {
    return await work(async (query) =>
      file
        .prepare(query)
        .all()
        .map(({ name }) => ({ name: String(name) })),
    );
  } finally {
    file.close();
  }
}

/** The columns of all tables: `post.slug`. */
const columnsOf = {
  sqlite: `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
  postgres: `select relname || '.' || attname as name
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind in ('r', 'p') and pg_table_is_visible(attrelid) and relnamespace <> 'pg_catalog'::regnamespace
      and attnum > 0 and not attisdropped`,
};
