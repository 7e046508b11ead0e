import { type Columns, type MigrationContext } from './columns';

/** The outbox. Read by the time at which a mail is due, and deleted by age. */
export async function mail(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('mail')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('recipient', text, (column) => column.notNull())
    .addColumn('sealed', text)
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', timestamp)
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('sent_at', timestamp)
    .addColumn('failure', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('mail_message_id_unique', ['message_id'])
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('mail');
  await index('mail_due_at').column('due_at').execute();
  await index('mail_created_at').column('created_at').execute();
}
