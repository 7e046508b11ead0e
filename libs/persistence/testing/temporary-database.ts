import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A database for one test, empty as it comes. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Removes it with all it holds; whatever is still open on it is cut off. */
  remove(): Promise<void>;
}

/**
 * Makes a fresh database: a SQLite file in a folder of its own, or, when `TEST_DATABASE_URL` names a PostgreSQL server,
 * a database on that.
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
  await tellServer(server, `create database ${name} template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: () => tellServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function tellServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
