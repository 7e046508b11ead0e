import './load-sources.mts';
import { parseArgs } from 'node:util';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/** Writes a backup of the database that `DATABASE_URL` names, which may be in use: `npm run backup -- FILE`. */
await runScript(async () => {
  const [file] = parseArgs({ allowPositionals: true }).positionals;
  if (!file) throw new Error('Name the file: npm run backup -- FILE');
  const { backUp } = await import('@app/persistence');
  const db = await openGivenDatabase();
  await backUp(db, file);
  await db.destroy();
  console.log(`${db.place} is backed up in ${file}`);
});
