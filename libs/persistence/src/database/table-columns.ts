import { type Kysely, sql } from 'kysely';
import { type Database } from './database';

/**
 * Reads a table's column names. Kysely's introspection reads every table, with its sequences.
 *
 * @param dialect the dialect behind `db`, which may be a connection or a transaction
 * @param table the table name in the database
 * @returns an empty list if the table does not exist
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
