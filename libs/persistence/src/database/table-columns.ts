import { type Kysely, sql } from 'kysely';
import { type Database } from './database';

/**
 * Reads the names of a table's columns. Kysely's introspection reads those of every table, with their sequences.
 *
 * @param dialect of `db`, which may be a connection or a transaction
 * @param table as in the database
 * @returns none if there is no such table
 */
export async function readTableColumns<T>(
  db: Kysely<T>,
  dialect: Database['dialect'],
  table: string,
): Promise<readonly string[]> {
  const { rows } = await columnsOf[dialect](table).execute(db);
  return rows.map(({ name }) => name);
}

const columnsOf = {
  sqlite: (table: string) => sql<{ name: string }>`select name from pragma_table_info(${table})`,
  postgres: (table: string) => sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(quote_ident(${table})) and attnum > 0 and not attisdropped`,
};
