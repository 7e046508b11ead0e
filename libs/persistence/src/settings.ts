import { z } from 'zod';
import { databaseUrlProblem, readDatabaseUrl } from './database-url';

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
};
