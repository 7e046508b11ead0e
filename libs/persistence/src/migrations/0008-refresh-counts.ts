import { type Columns, type MigrationContext } from './columns';

/** Counts the refreshes of a session within an hour, and refers to the audit event that gathers those of a day. */
export async function refreshCounts(db: MigrationContext, { integer, timestamp }: Columns): Promise<void> {
  const session = () => db.schema.alterTable('session');
  await session()
    .addColumn('refreshes', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await session().addColumn('refreshes_from_at', timestamp).execute();
  await session().addColumn('turns_event_id', integer).execute();
}
