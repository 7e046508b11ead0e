import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Database } from '../database/database';
import { ofAllTenants } from '../dialects/postgres/row-policies';
import { BackupError } from '../errors';

const run = promisify(execFile);

/** Returns the server to back up, or `undefined` for SQLite. */
export function serverOf({ servers = [] }: Database): string | undefined {
  if (servers.length > 1) throw new BackupError('name one server by DATABASE_DIRECT_URL');
  return servers[0];
}

/** Writes a backup with `pg_dump`, in its custom format. */
export async function backUpPostgres(url: string, file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
  // With row policies, the rows of all tenants.
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--enable-row-security'];
  await tool('pg_dump', url, [...options, `--file=${file}`]);
}

/** Restores a backup with `pg_restore`, in a single transaction. */
export async function restorePostgres(url: string, file: string): Promise<void> {
  await tool('pg_restore', url, ['--list', file], false);
  await refuseWhileInUse(url);
  const options = ['--clean', '--if-exists', '--no-owner', '--no-privileges', '--single-transaction'];
  await tool('pg_restore', url, [...options, file]);
}

async function refuseWhileInUse(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ others: number }>(
      'select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    if (rows[0]?.others !== 0) throw new BackupError('a program uses the database: stop it first');
  } finally {
    await client.end();
  }
}

/** Runs a PostgreSQL tool. The password is passed in the environment, because every user can read the arguments. */
async function tool(
  name: 'pg_dump' | 'pg_restore',
  url: string,
  options: readonly string[],
  isConnecting = true,
): Promise<void> {
  const { password } = new URL(url);
  const target = Object.assign(new URL(url), { password: '' }).href;
  const { PGOPTIONS = '' } = process.env;
  const env = {
    ...process.env,
    PGOPTIONS: `${PGOPTIONS} ${ofAllTenants}`.trim(),
    ...(password && { PGPASSWORD: decodeURIComponent(password) }),
  };
  try {
    await run(name, [...(isConnecting ? [`--dbname=${target}`] : []), ...options], { env });
  } catch (cause) {
    throw new BackupError(problemOf(name, cause), { cause });
  }
}

function problemOf(name: string, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return `${name} was not found: install the client programs of PostgreSQL`;
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
  return `${name} failed: ${output}`;
}
