import './load-sources.mts';
import { runScript } from './workspace.mts';

/** Replaces the database that `DATABASE_URL` names, which nothing may use, by a backup: `npm run restore -- FILE`. */
await runScript(async () => {
  const [file] = process.argv.slice(2);
  if (!file) throw new Error('Name the file: npm run restore -- FILE');
  const { openDatabase, persistenceSettings, restore } = await import('@app/persistence');
  const db = openDatabase(
    persistenceSettings.DATABASE_DIRECT_URL.parse(process.env.DATABASE_DIRECT_URL) ??
      persistenceSettings.DATABASE_URL.parse(process.env.DATABASE_URL),
  );
  await restore(db, file);
  await db.destroy();
  console.log(`${db.place} is restored from ${file}`);
});
