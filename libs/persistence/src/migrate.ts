import { type Kysely, sql } from 'kysely';
import { type Database } from './database';
import { NewerDatabaseError } from './errors';
import { columnsOf } from './migrations/columns';
import { migrations as ours, type Migration } from './migrations/migrations';
import { type Tables } from './tables/tables';

/** Our tables, and the one in which the database remembers what was done to it. */
type History = Kysely<Tables & SchemaMigration>;
type SchemaMigration = { schemaMigration: { name: string; appliedAt: Date } };

/** Any number will do for PostgreSQL's lock, as long as every program of ours takes the same. */
const LOCK = 7_583_012_964;

/**
 * Brings the database to what this code needs, in one transaction under a lock: programs that start together wait for
 * each other, and a migration that fails leaves nothing behind. Runs on a connection of its own, without the time
 * limits that requests have.
 *
 * @param migrations ours, unless a test brings others
 * @throws {NewerDatabaseError} if the database has a migration that is not among them
 */
export async function migrate(
  db: Database,
  migrations: Readonly<Record<string, Migration>> = ours,
): Promise<void> {
  const patient = db.forMigrations();
  try {
    // Not inTransaction: serializable on PostgreSQL, it would go on seeing what was there before it had the lock.
    await patient.transaction().execute(async (transaction) => {
      const history = transaction.withTables<SchemaMigration>();
      if (db.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(history);
      await applyPending(history, db.dialect, migrations);
    });
  } finally {
    await patient.destroy();
  }
}

async function applyPending(
  history: History,
  dialect: Database['dialect'],
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const applied = await readHistory(history, dialect);
  const unknown = [...applied].filter((name) => !(name in migrations));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  for (const [name, apply] of Object.entries(migrations)) {
    if (applied.has(name)) continue;
    await apply(history, columnsOf[dialect]);
    await history.insertInto('schemaMigration').values({ name, appliedAt: new Date() }).execute();
  }
}

async function readHistory(history: History, dialect: Database['dialect']): Promise<Set<string>> {
  const { text, moment, strictTypes } = columnsOf[dialect];
  const table = history.schema
    .createTable('schema_migration')
    .$call(strictTypes)
    .ifNotExists()
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('applied_at', moment, (column) => column.notNull());
  await table.execute();
  const rows = await history.selectFrom('schemaMigration').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}
