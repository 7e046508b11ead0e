import { type Database, openDatabase, persistenceSettings } from '@app/persistence';

/**
 * Runs a command on the database of the environment, without a pooler, and prints its lines. If it fails, the reason is written
 * to standard error and the exit code is 1.
 */
export async function runOnGivenDatabase(
  command: (db: Database, args: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
  const db = openDatabase(
    persistenceSettings.DATABASE_DIRECT_URL.parse(DATABASE_DIRECT_URL) ??
      persistenceSettings.DATABASE_URL.parse(DATABASE_URL),
  );
  try {
    for (const line of await command(db, process.argv.slice(2))) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await db.destroy();
  }
}
