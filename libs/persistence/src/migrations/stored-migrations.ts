import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Database } from '../database/database';
import { idRangeTable } from '../dialects/ids/time-ids';
import { NewerDatabaseError, UnreleasedDatabaseError } from '../errors';
import { type Dialect } from '../schema/columns';
import { type MigrationHistory } from '../schema/migration';

/** The table that Kysely needs for its lock. */
export const lockTable = 'migration_lock';
/** The table with the requirements that migrations place on older programs, see `runsSince`. */
export const requirementTable = 'migration_requirement';
/** The table with all applied migrations until 0.1.0. It is imported, and kept for programs from that release. */
export const importedTable = 'schema_migration';

/** The table in which Kysely lists the applied migrations of an owner. */
export function tableOf(owner: string): string {
  return `migration_of_${owner.replaceAll('-', '_')}`;
}

/** Whether a table belongs to the migrations, or reserves ids. */
export function isOfMigrations(table: string): boolean {
  return (
    [lockTable, requirementTable, importedTable, idRangeTable].includes(table) ||
    table.startsWith(tableOf(''))
  );
}

/** A migration that the database has. */
export interface AppliedMigration {
  readonly appliedAt: Date;
  /** The value declared by the program that applied the migration; `null` if every program of the owner may run. */
  readonly runsSince: string | null;
}

/** An owner's applied migrations by name, oldest first. */
export type Applied = ReadonlyMap<string, AppliedMigration>;

/** Each owner's applied migrations. */
export type AppliedByOwner = ReadonlyMap<string, Applied>;

/** The tables and migrations in a database. */
export interface Stored {
  /** All tables' columns: `post.slug`. */
  readonly columns: ReadonlySet<string>;
  readonly applied: AppliedByOwner;
  /** The owners with migrations still listed as in 0.1.0. */
  readonly toImport: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** Runs a query without parameters. */
type Read = (query: string) => Promise<readonly Row[]>;

/** Returns the migration name for messages and lists: `api/0003-tasks`. */
export function nameOf(owner: string, name: string): string {
  return `${owner}/${name}`;
}

/**
 * Reads the columns and the applied migrations at a single moment. Changes nothing. SQLite is read through a read-only
 * connection, since a writable connection would create a missing file, or convert a file to WAL mode.
 */
export async function storedIn(db: Database): Promise<Stored> {
  if (db.dialect === 'postgres')
    return db.transact(
      (snapshot) =>
        readStored(async (query) => (await sql<Row>`${sql.raw(query)}`.execute(snapshot)).rows, 'postgres'),
      'repeatable read',
    );
  if (!existsSync(db.place)) return { columns: new Set(), applied: new Map(), toImport: [] };
  const file = new DatabaseSync(db.place, { readOnly: true, timeout: 5_000 });
  try {
    file.exec('begin');
    return await readStored(async (query) => file.prepare(query).all(), 'sqlite');
  } finally {
    file.close();
  }
}

async function readStored(read: Read, dialect: Dialect): Promise<Stored> {
  const columns = new Set((await read(columnsOf[dialect])).map(({ name }) => String(name)));
  const applied = new Map<string, Applied>();
  for (const column of columns) {
    const [, table] = /^(migration_of_\w+)\.timestamp$/.exec(column) ?? [];
    if (table === undefined) continue;
    const owner = table.slice(tableOf('').length).replaceAll('_', '-');
    const rows = await read(appliedOf(table, owner));
    // Kysely creates the table before the transaction of the migrations.
    if (rows.length > 0) applied.set(owner, byName(rows));
  }
  if (!columns.has(`${importedTable}.name`)) return { columns, applied, toImport: [] };
  const owner = columns.has(`${importedTable}.owner`) ? 'owner' : `''`;
  const rows = await read(
    `select ${owner} as owner, name, applied_at as at, runs_since as since from ${importedTable} order by name`,
  );
  const imported = Map.groupBy(rows, (row) => String(row.owner));
  const toImport = [...imported.keys()].filter((name) => !applied.has(name));
  for (const name of toImport) applied.set(name, byName(imported.get(name) ?? []));
  return { columns, applied, toImport };
}

function appliedOf(table: string, owner: string): string {
  return `select name, timestamp as at, (
    select runs_since from ${requirementTable} r where r.owner = '${owner}' and r.name = m.name
  ) as since from ${table} m order by name`;
}

function byName(rows: readonly Row[]): Applied {
  return new Map(
    rows.map(({ name, at, since }) => {
      const appliedAt = new Date(typeof at === 'number' || at instanceof Date ? at : String(at));
      return [String(name), { appliedAt, runsSince: typeof since === 'string' ? since : null }];
    }),
  );
}

/**
 * Checks that programs with these histories can run on the tables in a database.
 *
 * @throws {UnreleasedDatabaseError} if it has migrations but lacks the very first migration, with which each released database
 *   begins
 * @throws {NewerDatabaseError} as {@link refuseNewer} does
 */
export function checkApplied(applied: AppliedByOwner, histories: readonly MigrationHistory[]): void {
  const [first] = histories;
  const [begin] = Object.keys(first?.migrations ?? {});
  const isBegun = begin === undefined || applied.get(first.owner)?.has(begin) === true;
  if (applied.size > 0 && !isBegun) throw new UnreleasedDatabaseError();
  for (const history of histories) refuseNewer(applied.get(history.owner), history);
}

/**
 * Checks that programs with a history can run on the tables in a database.
 *
 * @param applied the applied migrations of its owner
 * @throws {NewerDatabaseError} with the unknown migrations that exclude these programs
 */
export function refuseNewer(applied: Applied = new Map(), { owner, migrations }: MigrationHistory): void {
  const isAllowed = ({ runsSince }: AppliedMigration) => runsSince === null || runsSince in migrations;
  const refusing = [...applied].filter(
    ([name, appliedMigration]) => !(name in migrations) && !isAllowed(appliedMigration),
  );
  if (refusing.length > 0) throw new NewerDatabaseError(refusing.map(([name]) => nameOf(owner, name)));
}

const columnsOf = {
  sqlite: `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
  postgres: `select relname || '.' || attname as name
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind in ('r', 'p') and pg_table_is_visible(attrelid) and relnamespace <> 'pg_catalog'::regnamespace
      and attnum > 0 and not attisdropped`,
};
