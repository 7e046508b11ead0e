import { randomBytes } from 'node:crypto';
import { startPostgres } from './postgres-server';
import { runOnServer, templatePrefixVariable } from './temporary-database';

/**
 * The Vitest `globalSetup` for PostgreSQL runs. It uses the server in `TEST_DATABASE_URL`, or starts a server. The workers read
 * `TEST_DATABASE_URL` and {@link templatePrefixVariable}.
 *
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await serverOf(process.env.TEST_DATABASE_URL);
  process.env.TEST_DATABASE_URL = server.url;
  const prefix = `template_${randomBytes(4).toString('hex')}_`;
  process.env[templatePrefixVariable] = prefix;
  return async () => {
    await removeTemplates(server.url, prefix);
    await server.stop();
  };
}

async function removeTemplates(server: string, prefix: string): Promise<void> {
  const list = 'select datname from pg_database where starts_with(datname, $1)';
  for (const { datname } of await runOnServer(server, list, [prefix]))
    await runOnServer(server, `drop database ${datname} with (force)`);
}

async function serverOf(url: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  return url === undefined ? startPostgres() : { url: url, stop: async () => {} };
}
