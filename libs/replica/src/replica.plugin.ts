import { databaseUrlProblem, type Primary, readDatabaseUrl } from '@app/persistence';
import { definePlugin } from '@app/service';
import { z } from 'zod';
import { openReplica } from './open-replica';

/** The plugin that reads lists from a PostgreSQL standby. */
export function replica() {
  return definePlugin({
    name: 'replica',
    settings: {
      DATABASE_REPLICA_URL: z
        .string()
        .refine((url) => readDatabaseUrl(url)?.dialect === 'postgres', {
          error: ({ input }) => databaseUrlProblem(String(input)),
        })
        .optional()
        .describe(
          'A standby of the PostgreSQL server in `DATABASE_URL`. Lists come from it whenever it has every earlier commit, and otherwise from the primary.',
        )
        .meta({
          examples: ['postgres://sluice:…@replica:5432/sluice'],
          secret: true,
          isForPostgres: true,
        }),
    },
    database: ({ DATABASE_REPLICA_URL: url }) =>
      url === undefined ? {} : { openReplica: (primary: Primary) => openReplica(url, primary) },
  });
}
