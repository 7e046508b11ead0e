import type { INestApplication } from '@nestjs/common';
import './load-sources.mts';
import { parseArgs } from 'node:util';
import { runScript } from './workspace.mts';
import { fill } from './seed/fill.mts';
import { seedAdministrator } from './seed/sample.mts';

/** Fills an empty database with a small sample, for development: `npm run seed`. */
await runScript(async () => {
  parseArgs();
  if (process.env.NODE_ENV === 'production') throw new Error('npm run seed is for development only');
  const { createProgram, readSettings } = await import('@app/service');
  const { program } = await import('../apps/api/src/api.program.ts');
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = seedAdministrator;
  const settings = readSettings(program.declarations, { ...process.env, ADMIN_EMAIL, ADMIN_PASSWORD });
  const { name, tables, module } = program;
  const app = await createProgram({ name, tables, module: module(settings), settings });
  try {
    await ensureAdministrator(app);
    await app.listen(0, '127.0.0.1');
    for (const line of await fill(await app.getUrl())) console.log(line);
  } finally {
    await app.close();
  }
});

/** A database that was started before has another first administrator. */
async function ensureAdministrator(app: INestApplication): Promise<void> {
  const { AccountsStore, AdministratorReset, endFactors } = await import('@app/accounts');
  const { Database } = await import('@app/persistence');
  const { email, password } = seedAdministrator;
  if ((await app.get(AccountsStore, { strict: false }).findByEmail(email)) !== undefined) return;
  await new AdministratorReset(app.get(Database, { strict: false }), endFactors).reset(email, password);
}
