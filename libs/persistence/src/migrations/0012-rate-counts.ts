import { type Columns, type MigrationContext } from './columns';

/** The requests of callers that a rate limit counts. */
export async function rateCounts(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('rate_count')
    .$call(strictTypes)
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('count', integer, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('rate_count_ends_at').on('rate_count').column('ends_at').execute();
}
