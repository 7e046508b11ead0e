import { startPostgres } from './postgres-server';

/**
 * Vitest's `globalSetup` for the runs on PostgreSQL: the server that `DATABASE_URL` names, or one of our own. Tells the
 * workers by `TEST_DATABASE_URL`.
 *
 * @returns what ends it after the last test
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.DATABASE_URL;
  if (given?.startsWith('postgres')) {
    process.env.TEST_DATABASE_URL = given;
    return undefined;
  }
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  return () => server.stop();
}
