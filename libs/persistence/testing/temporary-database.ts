import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../src/database';
import { migrate } from '../src/migrate';

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

/**
 * Creates a database with every table: a copy of one that was migrated before. On PostgreSQL that is the one that
 * `TEST_TEMPLATE_DATABASE` names.
 */
export async function migratedDatabase(): Promise<TemporaryDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (server !== undefined) return temporaryOn(server, process.env.TEST_TEMPLATE_DATABASE);
  migratedFile ??= migrateFile();
  const [from, database] = await Promise.all([migratedFile, temporaryFile()]);
  await copyFile(from, fileOf(database));
  return database;
}

let migratedFile: Promise<string> | undefined;

/** Once in a process, which removes it when it exits. */
async function migrateFile(): Promise<string> {
  const database = await temporaryFile();
  const db = openDatabase(database.url);
  await migrate(db);
  await db.destroy();
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

async function temporaryOn(server: string, template = 'template0'): Promise<TemporaryDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function runOnServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
