import { type Kysely, sql } from 'kysely';
import { type Database } from './database';
import { NewerDatabaseError } from './errors';
import { columnsOf } from './migrations/columns';
import { migrations as ours, type Migration } from './migrations/migrations';
import { type Tables } from './tables/tables';

/** The tables, and the one that lists the applied migrations. */
type History = Kysely<Tables & SchemaMigration>;
type SchemaMigration = { schemaMigration: { name: string; appliedAt: Date } };

/** Key of the advisory lock: arbitrary, and the same in every program. */
const LOCK_KEY = 7_583_012_964;

/**
 * Applies the pending migrations in one transaction under a lock: concurrent calls run one after the other, and a
 * failed migration rolls back all of them. Runs on a separate connection with {@link Database.forMigrations}' timeouts.
 *
 * @throws {NewerDatabaseError} if the database has a migration that is not in `migrations`
 */
export async function migrate(
  db: Database,
  migrations: Readonly<Record<string, Migration>> = ours,
): Promise<void> {
  const handle = db.forMigrations();
  try {
    // Not `inTransaction`: a serializable snapshot would be taken before the lock is held.
    await handle.transaction().execute(async (transaction) => {
      const history = transaction.withTables<SchemaMigration>();
      if (db.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY)})`.execute(history);
      await applyPending(history, db.dialect, migrations);
    });
  } finally {
    await handle.destroy();
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
  const { text, timestamp, strictTypes } = columnsOf[dialect];
  const table = history.schema
    .createTable('schema_migration')
    .$call(strictTypes)
    .ifNotExists()
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('applied_at', timestamp, (column) => column.notNull());
  await table.execute();
  const rows = await history.selectFrom('schemaMigration').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}
