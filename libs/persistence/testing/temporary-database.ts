import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, Pool } from 'pg';
import { openDatabase } from '../src/database/database';
import { migrate } from '../src/migrations/migrate';
import { type MigrationHistory } from '../src/schema/migration';
import { openedStores } from './opened-stores';

/** An empty database for a single test. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Removes the database; open connections are terminated. */
  remove(): Promise<void>;
}

/**
 * Creates a database: a SQLite file in a new directory, or a database on the PostgreSQL server that `TEST_DATABASE_URL`
 * names.
 */
export function temporaryDatabase(): Promise<TemporaryDatabase> {
  const server = testServer();
  openedStores.count += 1;
  return server === undefined ? temporaryFile() : temporaryOn(server, 'test_');
}

/** @throws Error if only `DATABASE_URL` names a server: the tests would run on SQLite, and look as if they did not */
function testServer(): string | undefined {
  const { TEST_DATABASE_URL: server, DATABASE_URL: url = '' } = process.env;
  if (server === undefined && url.startsWith('postgres'))
    throw new Error(
      'Tests do not read DATABASE_URL, and would run on SQLite. Unset it, and name the server of the tests by TEST_DATABASE_URL.',
    );
  return server;
}

/** The template databases by migrations, per process. Test databases are copies of them. */
const templates = new Map<string, Promise<TemporaryDatabase>>();

/** Creates a migrated database as a copy of a template. */
export async function migratedDatabase(histories: readonly MigrationHistory[]): Promise<TemporaryDatabase> {
  openedStores.count += 1;
  const key = JSON.stringify(histories.map(({ owner, migrations }) => [owner, ...Object.keys(migrations)]));
  const template = templates.get(key) ?? makeTemplate(histories);
  templates.set(key, template);
  const { url } = await template;
  const server = testServer();
  if (server !== undefined) return temporaryOn(server, 'test_', new URL(url).pathname.slice(1));
  const database = await temporaryFile();
  await copyFile(fileOf(url), fileOf(database.url));
  return database;
}

/** The environment variable with the name prefix for templates on PostgreSQL. The run removes its templates at its end. */
export const templatePrefixVariable = 'TEST_TEMPLATES';

/** Makes a template. A file is removed when the process exits. */
async function makeTemplate(histories: readonly MigrationHistory[]): Promise<TemporaryDatabase> {
  const server = testServer();
  const template = await (server === undefined
    ? temporaryFile()
    : temporaryOn(server, process.env[templatePrefixVariable] ?? 'test_'));
  const db = openDatabase(template.url);
  await migrate(db, histories);
  await db.destroy();
  if (server === undefined)
    process.once('exit', () => rmSync(dirname(fileOf(template.url)), { recursive: true, force: true }));
  return template;
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

async function temporaryFile(): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function temporaryOn(
  server: string,
  prefix: string,
  template = 'template0',
): Promise<TemporaryDatabase> {
  const name = `${prefix}${randomBytes(8).toString('hex')}`;
  // Without a copy of each page in the log.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

/** The connections that create and remove databases, by server. To open a connection takes both sides 6 ms. */
const administrators = new Map<string, Pool>();

/** Executes a statement on the server's own database. */
async function administer(server: string, statement: string): Promise<void> {
  const pool = administrators.get(server) ?? administratorsOf(server);
  administrators.set(server, pool);
  await pool.query(statement);
}

/** Returns the administrator connections. Idle connections end with the process, or with the server. */
function administratorsOf(server: string): Pool {
  const pool = new Pool({ connectionString: server, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return pool.on('error', () => {});
}

/** Executes a statement on a separate connection. */
export async function runOnServer(
  server: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, string>[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
