import { type Columns, type MigrationContext } from './columns';

/** Keys by which machines speak for an account. */
export async function apiKeys(
  db: MigrationContext,
  { whole, moment, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('api_key')
    .$call(strictTypes)
    .addColumn('id', whole, id)
    .addColumn('account_id', whole, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('key_ends', text, (column) => column.notNull())
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('last_used_at', moment)
    .addUniqueConstraint('api_key_key_hash_unique', ['key_hash']);
  await table.execute();
  await db.schema.createIndex('api_key_account_id_id').on('api_key').columns(['account_id', 'id']).execute();
}
