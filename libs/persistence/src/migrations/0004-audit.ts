import { type Columns, type MigrationContext } from './columns';

/** The audit log. Read by account or by kind, newest first, and deleted by age. */
export async function audit(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_event')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', integer)
    .addColumn('actor_id', integer)
    .addColumn('ip', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('audit_event');
  await index('audit_event_account_id_id').columns(['account_id', 'id']).execute();
  await index('audit_event_kind_id').columns(['kind', 'id']).execute();
  await index('audit_event_created_at').column('created_at').execute();
}
