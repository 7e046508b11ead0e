import './load-sources.mts';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/**
 * Applies the pending migrations to the database that `DATABASE_URL` names: `npm run migrate`. `-- --list` lists all, `-- --check`
 * fails if any are pending; both change nothing.
 */
await runScript(async () => {
  const { runMigrateCommand } = await import('@app/persistence');
  const db = await openGivenDatabase();
  try {
    for (const line of await runMigrateCommand(db, process.argv.slice(2))) console.log(line);
  } finally {
    await db.destroy();
  }
});
