import { type Columns, type MigrationContext } from './columns';

/** The pictures of accounts; their files are in the store of uploads. */
export async function pictures(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('picture')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('file_key', text, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('picture_account_id_id').on('picture').columns(['account_id', 'id']).execute();
}
