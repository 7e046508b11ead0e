import { type Columns, type MigrationContext } from './columns';

/** What happened to accounts. Read by account or by kind, newest first, and swept by age. */
export async function audit(
  db: MigrationContext,
  { whole, moment, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_event')
    .$call(strictTypes)
    .addColumn('id', whole, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', whole)
    .addColumn('actor_id', whole)
    .addColumn('ip', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('created_at', moment, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('audit_event');
  await index('audit_event_account_id_id').columns(['account_id', 'id']).execute();
  await index('audit_event_kind_id').columns(['kind', 'id']).execute();
  await index('audit_event_created_at').column('created_at').execute();
}
