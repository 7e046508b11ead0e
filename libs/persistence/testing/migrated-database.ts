import { type Database, openDatabase } from '../src/database/database';
import { type MigrationHistory } from '../src/schema/migration';
import { baseSchema, sampleSchema } from './sample-schema';
import { migratedDatabase } from './temporary-database';

/** A migrated database of a `describe`, new for each test. */
export interface MigratedDatabase {
  readonly url: string;
  readonly db: Database;
  /** Opens a second handle, as a second process would. It is closed after the test. */
  openAnother(): Database;
}

/**
 * Creates a migrated database before each test of the current `describe`, and removes it after the test.
 *
 * @param histories the migration histories; default the histories for the sample tables
 * @returns the running test's database; only usable while a test runs
 */
export function useMigratedDatabase(
  histories: readonly MigrationHistory[] = [baseSchema, sampleSchema],
): MigratedDatabase {
  const current = { url: '', handles: [] as Database[], remove: async (): Promise<void> => {} };
  const open = (): Database => {
    const db = openDatabase(current.url);
    current.handles.push(db);
    return db;
  };
  beforeEach(async () => {
    Object.assign(current, await migratedDatabase(histories), { handles: [] });
    open();
  });
  afterEach(async () => {
    await Promise.all(current.handles.map((db) => db.destroy()));
    await current.remove();
  });
  return {
    get url() {
      return current.url;
    },
    get db() {
      return current.handles[0] ?? fail();
    },
    openAnother: open,
  };
}

function fail(): never {
  throw new TypeError('the database exists only while a test runs');
}
