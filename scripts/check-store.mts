import './load-sources.mts';
import { parseArgs } from 'node:util';
import { runScript } from './workspace.mts';

/** Checks the database that `DATABASE_URL` names, whatever its size, and changes nothing: `npm run check-store`. */
await runScript(async () => {
  parseArgs();
  const { checkIntegrity, openDatabase, persistenceSettings } = await import('@app/persistence');
  const db = openDatabase(persistenceSettings.DATABASE_URL.parse(process.env.DATABASE_URL));
  try {
    checkIntegrity(db, Number.POSITIVE_INFINITY);
    // Opening it by SQLite would create the file, and write to it if there is a WAL.
    const { error } = db.dialect === 'postgres' ? await db.check() : {};
    if (error) throw error;
    console.log(`${db.place} is not damaged`);
  } finally {
    await db.destroy();
  }
});
