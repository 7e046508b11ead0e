import { PostgresDialect } from 'kysely';
import { type TimeLimits } from '../time-limits';
import { openPostgresPool } from './postgres-pool';

/** Kysely on PostgreSQL through a pool of `pg`; connections open when they are first used. */
export function postgresDialect(url: string, limits: TimeLimits): PostgresDialect {
  return new PostgresDialect({ pool: async () => openPostgresPool(url, limits) });
}
