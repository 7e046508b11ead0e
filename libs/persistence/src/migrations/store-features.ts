import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { type Database } from '../database/database';
import { readTableColumns } from '../database/table-columns';
import { MissingFeaturesError, StoreUnavailableError } from '../errors';

/** Inserts nothing. */
const insert = `insert into migration_lease (id, holder, ends_at) select 0, '', now() where false`;

/** By what they are: a statement that has one row where it works. Nothing is written. */
const features: Readonly<Record<string, string>> = {
  'row locks (FOR NO KEY UPDATE)': `with locked as (select id from migration_lease where id = 0 for no key update)
    select count(*) from locked having count(*) = 0`,
  'the time of a statement (clock_timestamp)': 'select 1 where clock_timestamp() >= now()',
  'intervals of seconds (make_interval)': 'select 1 where now() + make_interval(secs => 1) > now()',
  'arrays of subqueries': 'select 1 where 2 = any (array(select 2))',
  'rows from JSON (json_array_elements)': `select 1 from json_array_elements('["a"]'::json) with ordinality as "row" (value, number)
    where number = 1`,
  'texts from JSON (json_array_elements_text)': `select 1 where 'a' = any (array(select json_array_elements_text('["a"]'::json)))`,
  'JSON from rows (json_agg)': `select 1 where (select json_agg(n) from (select 1 as n) as one)::text = '[1]'`,
  'recursive queries': `with recursive each (n) as (select 1 union all select n + 1 from each where n < 2)
    select n from each where n = 2`,
  'inserts in a query': `with made as (${insert} returning id) select count(*) from made having count(*) = 0`,
  'conditional upserts': `with made as (${insert} on conflict (id) do update set holder = excluded.holder
      where migration_lease.ends_at < now() returning id)
    select count(*) from made having count(*) = 0`,
};

/**
 * Asks a store with the protocol of PostgreSQL for what the statements of every program need, by what it does and not by its name.
 *
 * @param db whose tables of migrations exist
 * @throws {MissingFeaturesError} with all that it lacks
 */
export async function checkFeatures(db: Database): Promise<void> {
  const missing: string[] = [];
  for (const [name, statement] of Object.entries(features))
    if (!(await isSupported(db, statement))) missing.push(name);
  if (missing.length > 0) throw new MissingFeaturesError(missing);
}

async function isSupported(db: Database, statement: string): Promise<boolean> {
  try {
    return (await db.executeQuery(CompiledQuery.raw(statement))).rows.length === 1;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    return false;
  }
}

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
