import type { INestApplication } from '@nestjs/common';
import { readProgram } from '../programs.mts';
import { seedAdministrator } from './sample.mts';

/**
 * Runs a workspace program on the environment's database with the sample administrator, and closes it.
 *
 * @param work receives the base URL of the routes
 * @throws Error in production
 */
export async function withSeededProgram(
  application: string,
  work: (baseUrl: string) => Promise<void>,
): Promise<void> {
  if (process.env.NODE_ENV === 'production') throw new Error('npm run seed is for development only');
  const { createProgram, readSettings } = await import('@app/service');
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = seedAdministrator;
  const { name, tables, schemas, module, declarations, errors, prefix, configure, unknownMembers } =
    await readProgram(application);
  const settings = readSettings(declarations, { ...process.env, ADMIN_EMAIL, ADMIN_PASSWORD });
  const app = await createProgram({
    name,
    tables,
    schemas,
    module: module(settings),
    settings,
    errors,
    prefix,
    unknownMembers,
    configure: (created) => configure?.(created, settings),
  });
  try {
    await ensureAdministrator(app);
    await app.listen(0, '127.0.0.1');
    await work([await app.getUrl(), ...(prefix === undefined ? [] : [prefix])].join('/'));
  } finally {
    await app.close();
  }
}

/** Makes sure that the sample administrator exists, because an older database can have a different first administrator. */
async function ensureAdministrator(app: INestApplication): Promise<void> {
  const { AccountsStore, AdministratorReset, Enrolments } = await import('@app/accounts');
  const { Database } = await import('@app/persistence');
  const { email, password } = seedAdministrator;
  if ((await app.get(AccountsStore, { strict: false }).findByEmail(email)) !== undefined) return;
  const [db, enrolments] = [app.get(Database, { strict: false }), app.get(Enrolments, { strict: false })];
  await new AdministratorReset(db, enrolments).reset(email, password);
}
