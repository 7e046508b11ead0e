import { openDatabase, persistenceSettings, runMigrateCommand } from '@app/persistence';

/** `node migrate.js`, `--list`, `--check`: what `npm run migrate` does, in a packed folder. */
async function main(): Promise<void> {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
  const db = openDatabase(
    persistenceSettings.DATABASE_DIRECT_URL.parse(DATABASE_DIRECT_URL) ??
      persistenceSettings.DATABASE_URL.parse(DATABASE_URL),
  );
  try {
    for (const line of await runMigrateCommand(db, process.argv.slice(2))) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await db.destroy();
  }
}

void main();
