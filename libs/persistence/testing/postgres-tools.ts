import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { type TestContext } from 'vitest';
import { type Database } from '../src/database/database';

/** Skips a test on PostgreSQL if `pg_dump` is missing, or older than the server, which it then refuses. npm has no package of it. */
export async function skipWithoutTools(skip: TestContext['skip'], db: Database): Promise<void> {
  if (db.dialect !== 'postgres') return;
  const { rows } = await sql<{ serverVersion: string }>`show server_version`.execute(db);
  const version = Number.parseInt(rows[0]?.serverVersion ?? '', 10);
  skip(toolsVersion() < version, `no pg_dump of PostgreSQL ${version}`);
}

function toolsVersion(): number {
  try {
    return Number(/\d+/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[0]);
  } catch {
    return 0;
  }
}
