import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database } from '../database/database';
import { readTableColumns } from '../database/table-columns';
import { StoreUnavailableError } from '../errors';

class Undone extends Error {}

/**
 * Asks a store with the protocol of PostgreSQL whether a transaction changes several tables, and rows beside them, completely or not at all.
 * Changes nothing.
 */
export async function rollsTablesBack(db: Database): Promise<boolean> {
  const name = `migration_probe_${randomUUID().slice(0, 8)}`;
  const table = sql.id(name);
  const changes = db.transaction().execute(async (transaction) => {
    await sql`create table ${table} (id bigint primary key)`.execute(transaction);
    await sql`alter table ${table} add column note text`.execute(transaction);
    await sql`insert into ${table} values (1, '')`.execute(transaction);
    throw new Undone();
  });
  const error: unknown = await changes.catch((thrown: unknown) => thrown);
  if (error instanceof StoreUnavailableError) throw error;
  const isLeft = (await readTableColumns(db, db.dialect, name)).length > 0;
  if (isLeft) await sql`drop table ${table}`.execute(db);
  return error instanceof Undone && !isLeft;
}
