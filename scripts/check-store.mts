import './load-sources.mts';
import { runScript } from './workspace.mts';

/** Checks the database that `DATABASE_URL` names, whatever its size, and changes nothing: `npm run check-store`. */
await runScript(async () => {
  const { checkIntegrity, openDatabase, persistenceSettings } = await import('@app/persistence');
  const db = openDatabase(persistenceSettings.DATABASE_URL.parse(process.env.DATABASE_URL));
  try {
    checkIntegrity(db, Number.POSITIVE_INFINITY);
    // To ask SQLite would create its file, and with a WAL beside it write to it.
    const { error } = db.dialect === 'postgres' ? await db.check() : {};
    if (error) throw error;
    console.log(`${db.place} is sound`);
  } finally {
    await db.destroy();
  }
});
