import type { Database } from '@app/persistence';

/** Opens the database of the environment, without a pooler; the caller destroys it. */
export async function openGivenDatabase(): Promise<Database> {
  const { openDatabase, persistenceSettings } = await import('@app/persistence');
  const { DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
  return openDatabase(
    persistenceSettings.DATABASE_DIRECT_URL.parse(DATABASE_DIRECT_URL) ??
      persistenceSettings.DATABASE_URL.parse(DATABASE_URL),
  );
}
