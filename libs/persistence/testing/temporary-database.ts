import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

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

async function temporaryFile(): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function temporaryOn(server: string): Promise<TemporaryDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(server, `create database ${name} template template0`);
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
