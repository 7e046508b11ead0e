import { z } from 'zod';
import { databaseUrlProblem, readDatabaseUrl } from './database-url';
import { type Connecting } from './dialects/timeouts';

/** Environment variables of this library. */
export const persistenceSettings = {
  DATABASE_URL: z
    .string()
    .default('sqlite:./data/sluice.db')
    .refine((url) => readDatabaseUrl(url) !== undefined, { error: databaseUrlProblem })
    .describe('The database: a SQLite file, created if it does not exist, or a PostgreSQL connection string.')
    .meta({
      examples: ['sqlite:./data/sluice.db', 'postgres://sluice:…@localhost:5432/sluice'],
      secret: true,
    }),
  DATABASE_DIRECT_URL: z
    .string()
    .refine((url) => readDatabaseUrl(url)?.dialect === 'postgres', { error: databaseUrlProblem })
    .optional()
    .describe('PostgreSQL without the pooler of `DATABASE_URL`, for migrations, notifications and backups.')
    .meta({ examples: ['postgres://sluice:…@localhost:5432/sluice'], secret: true }),
  DATABASE_REPLICA_URL: z
    .string()
    .refine((url) => readDatabaseUrl(url)?.dialect === 'postgres', { error: databaseUrlProblem })
    .optional()
    .describe(
      'A standby of the PostgreSQL of `DATABASE_URL`, from which lists are read once it has everything that was committed before; from the primary while it lags or is down.',
    )
    .meta({ examples: ['postgres://sluice:…@replica:5432/sluice'], secret: true }),
  DATABASE_POOLER: z
    .enum(['off', 'transaction'], { error: 'must be off or transaction' })
    .default('off')
    .describe(
      'Pooler between the program and PostgreSQL. `transaction`: one such as pgbouncer in transaction mode; nothing is kept on a connection then, so statements are not prepared.',
    )
    .meta({ examples: ['transaction'] }),
  DATABASE_POOL_SIZE: numberFrom(1, 1_000)
    .prefault('10')
    .describe('Connections of each program to PostgreSQL, beside one for notifications.')
    .meta({ examples: ['20'] }),
  DATABASE_WAIT_TIMEOUT: numberFrom(1, 600_000)
    .prefault('5000')
    .describe(
      'Milliseconds to wait for a connection or a lock, and to retry a transaction, before a request is rejected with 503.',
    )
    .meta({ examples: ['2000'] }),
  MIGRATE: z
    .enum(['auto', 'check', 'off'], { error: 'must be auto, check or off' })
    .default('auto')
    .describe(
      'At start, `auto` applies pending migrations, `check` fails if there are any, `off` does not look. `npm run migrate` applies them.',
    )
    .meta({ examples: ['check'] }),
  DATABASE_STATEMENT_TIMEOUT: numberFrom(0, 3_600_000)
    .prefault('10000')
    .describe(
      'Milliseconds that a statement may take on PostgreSQL before a request is rejected with 503; `0` for no limit.',
    )
    .meta({ examples: ['30000'] }),
};

/** The settings that a database is opened with. */
export interface DatabaseEnvironment {
  readonly DATABASE_URL: string;
  readonly DATABASE_DIRECT_URL?: string;
  readonly DATABASE_REPLICA_URL?: string;
  readonly DATABASE_POOLER: 'off' | 'transaction';
  readonly DATABASE_POOL_SIZE: number;
  /** In milliseconds, like the next one. */
  readonly DATABASE_WAIT_TIMEOUT: number;
  readonly DATABASE_STATEMENT_TIMEOUT: number;
  readonly MIGRATE: Migrating;
}

/** What a start does about pending migrations. */
export type Migrating = 'auto' | 'check' | 'off';

/** How a program connects, by its settings. */
export function connectingBy(settings: DatabaseEnvironment): Connecting {
  return {
    directUrl: settings.DATABASE_DIRECT_URL,
    replicaUrl: settings.DATABASE_REPLICA_URL,
    isPooled: settings.DATABASE_POOLER === 'transaction',
    poolSize: settings.DATABASE_POOL_SIZE,
    timeouts: { waitMs: settings.DATABASE_WAIT_TIMEOUT, statementMs: settings.DATABASE_STATEMENT_TIMEOUT },
  };
}

function numberFrom(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,7}$/, { error })
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error });
}
