import { sql } from 'kysely';
import type { Database } from '../src/database/database';
import { isOfMigrations } from '../src/migrations/stored-migrations';
import { isOn, type Secrecy, type TableDefinition } from '../src/schema/define-table';

/** A column, in camelCase. */
export interface ClassifiedColumn {
  readonly table: string;
  readonly column: string;
  /** The secrecy; `undefined` if the column is unclassified. */
  readonly secrecy: Secrecy | undefined;
}

/** Returns every column in the database, except in migration tables and in undeclared SQLite virtual tables. */
export async function classifiedColumns(
  db: Database,
  tables: readonly TableDefinition[],
): Promise<readonly ClassifiedColumn[]> {
  const stored = await db.introspection.getTables();
  const virtual = await virtualTables(db);
  const isDeclared = (name: string) => tables.some((table) => table.name === camelCased(name));
  return stored
    .filter(({ name }) => !isOfMigrations(name) && (!virtual.has(name) || isDeclared(name)))
    .flatMap(({ name, columns }) => {
      const table = camelCased(name);
      const secrecy = tables.find((definition) => definition.name === table)?.secrecy ?? {};
      return columns.map((metadata) => {
        const column = camelCased(metadata.name);
        return { table, column, secrecy: secrecy[column] };
      });
    });
}

/** Returns the SQLite virtual tables, such as an FTS5 index, and the tables that store them. */
async function virtualTables(db: Database): Promise<ReadonlySet<string>> {
  if (db.dialect !== 'sqlite') return new Set();
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list where type in ('virtual', 'shadow')`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** All current text values of the columns with the given classification. */
export async function textsOf(
  db: Database,
  tables: readonly TableDefinition[],
  secrecyOf: Secrecy,
): Promise<readonly { readonly where: string; readonly text: string }[]> {
  const columns = (await classifiedColumns(db, tables)).filter((column) => column.secrecy === secrecyOf);
  const samples = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } = await sql<{ found: unknown }>`
        select ${sql.ref(column)} as found from ${sql.table(table)}`.execute(db);
      return rows.map(({ found: text }) => ({ where: `${table}.${column}`, text }));
    }),
  );
  return samples.flat().flatMap(({ where, text }) => (typeof text === 'string' ? [{ where, text }] : []));
}

/** Returns the database columns without a declaration, and the declared columns that no migration adds. */
export async function undeclaredColumns(
  db: Database,
  tables: readonly TableDefinition[],
): Promise<readonly string[]> {
  const columns = await classifiedColumns(db, tables);
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const declared = tables
    .filter((table) => isOn(table, db.dialect))
    .flatMap(({ name, secrecy }) => Object.keys(secrecy).map((column) => `${name}.${column}`));
  return [...names.symmetricDifference(new Set(declared))].toSorted();
}

function camelCased(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
