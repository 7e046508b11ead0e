import { sampleSchema } from './sample-schema';
import { startPostgres } from './postgres-server';
import { migrateTo, templateVariables, temporaryDatabase } from './temporary-database';

/**
 * Vitest's `globalSetup` for the runs on PostgreSQL: uses the server that `DATABASE_URL` names, or starts one. The workers
 * read `TEST_DATABASE_URL`, and {@link templateVariables}, which name databases that are migrated.
 *
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await serverOf(process.env.DATABASE_URL);
  process.env.TEST_DATABASE_URL = server.url;
  const templates = [await makeTemplate('none'), await makeTemplate('sample')];
  return async () => {
    for (const template of templates) await template.remove();
    await server.stop();
  };
}

async function makeTemplate(owner: keyof typeof templateVariables): ReturnType<typeof temporaryDatabase> {
  const template = await temporaryDatabase();
  await migrateTo(template, owner === 'sample' ? sampleSchema : undefined);
  process.env[templateVariables[owner]] = new URL(template.url).pathname.slice(1);
  return template;
}

async function serverOf(given: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  return given?.startsWith('postgres') ? { url: given, stop: async () => {} } : startPostgres();
}
