import { count, type EnvironmentOf } from '@app/settings';
import { z } from 'zod';
import { databaseUrlProblem, readDatabaseUrl } from './dialects/database-url';
import { defaultIds } from './dialects/ids/default-ids';
import { type Connecting } from './dialects/connecting';
import { requestTimeouts } from './dialects/timeouts';

/** This library's environment variables. */
export const persistenceSettings = {
  DATABASE_URL: z
    .string()
    .default('sqlite:./data/sluice.db')
    .refine((url) => readDatabaseUrl(url) !== undefined, {
      error: ({ input }) => databaseUrlProblem(String(input)),
    })
    .describe('The database: a SQLite file, created if missing, or a PostgreSQL connection string.')
    .meta({
      examples: ['sqlite:./data/sluice.db', 'postgres://sluice:…@localhost:5432/sluice'],
      secret: true,
    }),
  DATABASE_DIRECT_URL: z
    .string()
    .refine((url) => readDatabaseUrl(url)?.dialect === 'postgres', {
      error: ({ input }) => databaseUrlProblem(String(input)),
    })
    .optional()
    .describe('PostgreSQL without the pooler of `DATABASE_URL`, for migrations, notifications and backups.')
    .meta({ examples: ['postgres://sluice:…@localhost:5432/sluice'], secret: true, isForPostgres: true }),
  DATABASE_POOLER: z
    .enum(['off', 'transaction'], { error: 'must be off or transaction' })
    .default('off')
    .describe(
      'Pooler between the program and PostgreSQL. `transaction` is for pgbouncer in transaction mode: connections keep no state, and statements are sent unprepared.',
    )
    .meta({ examples: ['transaction'], isForPostgres: true }),
  DATABASE_POOL_SIZE: count({ from: 1, to: 1000 })
    .prefault('10')
    .describe('PostgreSQL connections per program, in addition to the notification connection.')
    .meta({ examples: ['20'], isForPostgres: true }),
  DATABASE_IDS: z
    .enum(['sequence', 'time'], { error: 'must be sequence or time' })
    .default(defaultIds)
    .describe(
      'Where ids come from: `sequence` for a sequence per table, `time` for ids that the program makes from the time and its number.',
    )
    .meta({ examples: ['time'] }),
  TENANT_ROW_SECURITY: z
    .enum(['off', 'on'], { error: 'must be off or on' })
    .default('off')
    .describe(
      'PostgreSQL row policies for tenant tables, a second check behind `db.for()`. All programs of a database need the same value, and a role without `SUPERUSER` and `BYPASSRLS`.',
    )
    .meta({ examples: ['on'], isForPostgres: true }),
  MIGRATE: z
    .enum(['auto', 'check', 'off'], { error: 'must be auto, check or off' })
    .default('auto')
    .describe(
      'At start, `auto` applies pending migrations, `check` fails if migrations are pending, `off` ignores them. The command `migrate` applies them.',
    )
    .meta({ examples: ['check'] }),
};

/** The database settings. */
export type DatabaseEnvironment = EnvironmentOf<typeof persistenceSettings>;

/** The way a start handles pending migrations. */
export type Migrating = DatabaseEnvironment['MIGRATE'];

/** Returns the connection options from the settings. */
export function connectingBy(settings: DatabaseEnvironment): Connecting {
  return {
    directUrl: settings.DATABASE_DIRECT_URL,
    isPooled: settings.DATABASE_POOLER === 'transaction',
    poolSize: settings.DATABASE_POOL_SIZE,
    ids: settings.DATABASE_IDS,
    timeouts: requestTimeouts,
    ...(settings.TENANT_ROW_SECURITY === 'on' && { rowPolicies: 'by statement' }),
  };
}
