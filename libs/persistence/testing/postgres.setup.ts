import { randomBytes } from 'node:crypto';
import { startPostgres } from './postgres-server';
import { refuseSequences, refuseTablesInTransactions } from './restricted-store';
import { openConflictingProxy } from './conflicting-proxy';
import { emptyVariable, runOnServer, templatePrefixVariable, temporaryDatabase } from './temporary-database';

/**
 * Vitest's `globalSetup` for the runs on PostgreSQL: uses the server that `DATABASE_URL` names, or starts one. The workers
 * read `TEST_DATABASE_URL`, and {@link templatePrefixVariable}.
 *
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await serverOf(process.env.DATABASE_URL);
  const restricted = process.env.TEST_POSTGRES === 'subset' ? await restrict(server.url) : undefined;
  process.env.TEST_DATABASE_URL = restricted?.url ?? server.url;
  const prefix = `template_${randomBytes(4).toString('hex')}_`;
  process.env[templatePrefixVariable] = prefix;
  return async () => {
    await restricted?.stop();
    await removeTemplates(server.url, prefix);
    await server.stop();
  };
}

async function removeTemplates(server: string, prefix: string): Promise<void> {
  const list = 'select datname from pg_database where starts_with(datname, $1)';
  for (const { datname } of await runOnServer(server, list, [prefix]))
    await runOnServer(server, `drop database ${datname} with (force)`);
}

async function serverOf(given: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  return given?.startsWith('postgres') ? { url: given, stop: async () => {} } : startPostgres();
}

/** Functions of PostgreSQL that distributed engines lack, or that do nothing there. */
const missing = [
  'pg_advisory_lock(bigint)',
  'pg_advisory_xact_lock(bigint)',
  'pg_try_advisory_lock(bigint)',
  'pg_try_advisory_xact_lock(bigint)',
  'pg_current_snapshot()',
  'pg_current_xact_id()',
  'pg_current_xact_id_if_assigned()',
  'pg_notify(text, text)',
];

/** Of one of so many commits the outcome is 40001. */
const CONFLICT_EVERY = 50;

/**
 * Takes away what distributed engines with the protocol of PostgreSQL lack, in all databases that tests create: functions, sequences,
 * changes of tables in transactions, and commits that always succeed. Nothing notifies, so revocations are polled for.
 */
async function restrict(url: string) {
  process.env.TEST_DATABASE_URL = url;
  const empty = await temporaryDatabase();
  for (const name of missing)
    await runOnServer(
      empty.url,
      `alter function pg_catalog.${name} rename to missing_${name.replace(/\(.*/, '')}`,
    );
  for (const statement of [...refuseSequences, ...refuseTablesInTransactions])
    await runOnServer(empty.url, statement);
  process.env[emptyVariable] = new URL(empty.url).pathname.slice(1);
  const proxy = await openConflictingProxy(new URL(url), CONFLICT_EVERY);
  const stop = async () => {
    await proxy.stop();
    await runOnServer(url, `drop database ${process.env[emptyVariable]} with (force)`);
    process.stdout.write(`${proxy.conflicts()} commits were rolled back with 40001\n`);
  };
  return { url: proxy.url, stop };
}
