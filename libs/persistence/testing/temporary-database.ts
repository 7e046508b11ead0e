import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../src/database/database';
import { historiesOf } from '../src/framework/framework';
import { migrate } from '../src/migrations/migrate';
import { type ApplicationSchema } from '../src/schema/application-schema';

/** An empty database for one test. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Removes it; open connections are terminated. */
  remove(): Promise<void>;
}

/**
 * Creates a database: a SQLite file in a new directory, or a database on the PostgreSQL server that `TEST_DATABASE_URL`
 * names.
 */
export function temporaryDatabase(): Promise<TemporaryDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  return server === undefined ? temporaryFile() : temporaryOn(server);
}

/** On PostgreSQL, databases to copy, by the owner of the tables that they have beside those of the libs: the variables that name them. */
export const templateVariables = { none: 'TEST_TEMPLATE_DATABASE', sample: 'TEST_SAMPLE_DATABASE' } as const;

/**
 * Creates a database with the tables of the libs and of an application: a copy of one that was migrated before, where there is one.
 */
export async function migratedDatabase(schema?: ApplicationSchema): Promise<TemporaryDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) return copyOfFile(schema);
  const isSample = schema?.owner === 'sample';
  const database = await temporaryOn(server, process.env[templateVariables[isSample ? 'sample' : 'none']]);
  if (schema !== undefined && !isSample) await migrateTo(database, schema);
  return database;
}

/** Migrates a database to the tables of the libs, and of an application. */
export async function migrateTo(
  { url }: TemporaryDatabase,
  schema: ApplicationSchema | undefined,
): Promise<void> {
  const db = openDatabase(url);
  try {
    await migrate(db, historiesOf(schema));
  } finally {
    await db.destroy();
  }
}

/** By migrations: one file in a process, which removes it when it exits. */
const migratedFiles = new Map<string, Promise<string>>();

async function copyOfFile(schema: ApplicationSchema | undefined): Promise<TemporaryDatabase> {
  const key = JSON.stringify([schema?.owner, ...Object.keys(schema?.migrations ?? {})]);
  const from = migratedFiles.get(key) ?? migrateFile(schema);
  migratedFiles.set(key, from);
  const database = await temporaryFile();
  await copyFile(await from, fileOf(database));
  return database;
}

async function migrateFile(schema: ApplicationSchema | undefined): Promise<string> {
  const database = await temporaryFile();
  await migrateTo(database, schema);
  process.once('exit', () => rmSync(dirname(fileOf(database)), { recursive: true, force: true }));
  return fileOf(database);
}

function fileOf({ url }: TemporaryDatabase): string {
  return url.slice('sqlite:'.length);
}

async function temporaryFile(): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** On PostgreSQL, the variable that names the database to copy for one without tables; default `template0`. */
export const emptyVariable = 'TEST_EMPTY_DATABASE';

async function temporaryOn(
  server: string,
  template = process.env[emptyVariable] ?? 'template0',
): Promise<TemporaryDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Executes one statement on a connection of its own. */
export async function runOnServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
