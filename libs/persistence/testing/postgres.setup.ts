import { startPostgres } from './postgres-server';

/**
 * Vitest's `globalSetup` for the runs on PostgreSQL: uses the server that `DATABASE_URL` names, or starts one. The workers
 * read `TEST_DATABASE_URL`.
 *
 * @returns the teardown
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
