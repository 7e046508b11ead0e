import { z } from 'zod';
import { databaseUrlProblem, readDatabaseUrl } from './database-url';

/** What the store reads from the environment. */
export const persistenceSettings = {
  DATABASE_URL: z
    .string()
    .default('sqlite:./data/sluice.db')
    .refine((url) => readDatabaseUrl(url) !== undefined, { error: databaseUrlProblem })
    .describe('Where the data is: a SQLite file, made if it is not there, or a PostgreSQL database.')
    .meta({
      examples: ['sqlite:./data/sluice.db', 'postgres://sluice:…@localhost:5432/sluice'],
      secret: true,
    }),
};
