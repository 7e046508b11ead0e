import { sql } from 'kysely';
import type { Database } from '../src/database/database';

/** A foreign key; names as in the database. */
export interface ForeignKey {
  readonly table: string;
  /** The table to which it refers. */
  readonly target: string;
}

/** Returns every foreign key in a database. */
export async function foreignKeys(db: Database): Promise<readonly ForeignKey[]> {
  const { rows } = await (db.dialect === 'postgres' ? ofPostgres : ofSqlite).execute(db);
  return rows;
}

const ofPostgres = sql<ForeignKey>`
  select source.relname as "table", target.relname as target
  from pg_constraint
  join pg_class as source on source.oid = conrelid
  join pg_class as target on target.oid = confrelid
  where contype = 'f'`;

const ofSqlite = sql<ForeignKey>`
  select source.name as "table", keys."table" as target
  from sqlite_master as source, pragma_foreign_key_list(source.name) as keys
  where source.type = 'table'`;
