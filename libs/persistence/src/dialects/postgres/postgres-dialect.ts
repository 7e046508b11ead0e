import { PostgresDialect } from 'kysely';
import { type Timeouts } from '../timeouts';
import { openPostgresPool } from './postgres-pool';

/** Kysely's PostgreSQL dialect with a pool of `pg`; connections are opened on demand. */
export function postgresDialect(url: string, timeouts: Timeouts): PostgresDialect {
  return new PostgresDialect({ pool: async () => openPostgresPool(url, timeouts) });
}
