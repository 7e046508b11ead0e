import { type Kysely, sql } from 'kysely';
import { type Queries } from '../database/database';
import { StoreFaultError } from '../errors';
import { type Tables } from '../schema/tables';

/** Key of the advisory lock: arbitrary, and the same in every program. */
const LOCK_KEY = sql.lit(7_583_012_964);

/** Takes the advisory lock of migrations if it is free. It is held by the connection until that is closed. */
export async function takeMigrationLock(connection: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    isHeld: boolean;
  }>`select pg_try_advisory_lock(${LOCK_KEY}) as is_held`.execute(connection);
  return rows[0]?.isHeld ?? false;
}

/**
 * Checks that a second connection does not get the lock that is held. Servers that only speak PostgreSQL's protocol may
 * accept advisory locks and ignore them.
 *
 * @param other other connections of the same server
 * @throws {StoreFaultError} if it gets the lock
 */
export async function assertLocksExclude(other: Queries): Promise<void> {
  const isShared = await other.connection().execute(takeMigrationLock);
  if (isShared)
    throw new StoreFaultError(
      'advisory locks of this server do not exclude each other, so programs could migrate it at the same time; ' +
        'use PostgreSQL (docs/reference/stores.md lists what was run)',
    );
}
