import './load-sources.mts';
import { parseArgs } from 'node:util';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/** Replaces the database that `DATABASE_URL` names, which nothing may use, by a backup: `npm run restore -- FILE`. */
await runScript(async () => {
  const [file] = parseArgs({ allowPositionals: true }).positionals;
  if (!file) throw new Error('Name the file: npm run restore -- FILE');
  const { restore } = await import('@app/persistence');
  const db = await openGivenDatabase();
  await restore(db, file);
  await db.destroy();
  console.log(`${db.place} is restored from ${file}`);
});
