import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** The program writes meanwhile. */
const busyMs = 5000;

/** Locks a table (SQLite: every table) at a `DATABASE_URL` against other writers. Returns a function that releases it. */
export async function lockForWrites(url: string, table: string): Promise<() => Promise<void>> {
  if (!url.startsWith('sqlite:')) return lockTable(url, table);
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: busyMs });
  database.exec('begin immediate');
  return async () => database.close();
}

async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table "${table}" in exclusive mode`);
  return () => client.end();
}

/** Runs a statement on a program's database from outside the program. */
export async function execute(url: string, statement: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: busyMs });
    database.exec(statement);
    return database.close();
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
