import './load-sources.mts';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/** Replaces the database that `DATABASE_URL` names, which nothing may use, by a backup: `npm run restore -- FILE`. */
await runScript(async () => {
  const [file] = process.argv.slice(2);
  if (!file) throw new Error('Name the file: npm run restore -- FILE');
  const { restore } = await import('@app/persistence');
  const db = await openGivenDatabase();
  await restore(db, file);
  await db.destroy();
  console.log(`${db.place} is restored from ${file}`);
});
