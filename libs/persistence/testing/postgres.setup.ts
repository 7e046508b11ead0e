import { openDatabase } from '../src/database';
import { migrate } from '../src/migrate';
import { startPostgres } from './postgres-server';
import { temporaryDatabase } from './temporary-database';

/**
 * Vitest's `globalSetup` for the runs on PostgreSQL: uses the server that `DATABASE_URL` names, or starts one. The workers
 * read `TEST_DATABASE_URL`, and `TEST_TEMPLATE_DATABASE`, the name of a database that is migrated.
 *
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await serverOf(process.env.DATABASE_URL);
  process.env.TEST_DATABASE_URL = server.url;
  const template = await temporaryDatabase();
  const db = openDatabase(template.url);
  await migrate(db);
  await db.destroy();
  process.env.TEST_TEMPLATE_DATABASE = new URL(template.url).pathname.slice(1);
  return async () => {
    await template.remove();
    await server.stop();
  };
}

async function serverOf(given: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  return given?.startsWith('postgres') ? { url: given, stop: async () => {} } : startPostgres();
}
