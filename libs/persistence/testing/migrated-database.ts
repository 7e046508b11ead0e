import { type Database, openDatabase } from '../src/database';
import { migrate } from '../src/migrate';
import { temporaryDatabase } from './temporary-database';

/** A database with our tables, for the length of one `describe`. */
export interface MigratedDatabase {
  readonly url: string;
  readonly db: Database;
  /** Another handle on the same data, as another program would have; closed with the first. */
  openAnother(): Database;
}

/**
 * Makes a migrated database before each test of the `describe` it is called in, and removes it after.
 *
 * @returns what the running test has; it is filled in when the test starts
 */
export function useMigratedDatabase(): MigratedDatabase {
  const current = { url: '', handles: [] as Database[], remove: async (): Promise<void> => {} };
  const open = (): Database => {
    const db = openDatabase(current.url);
    current.handles.push(db);
    return db;
  };
  beforeEach(async () => {
    Object.assign(current, await temporaryDatabase(), { handles: [] });
    await migrate(open());
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
  throw new TypeError('the database is there while a test runs, not before');
}
