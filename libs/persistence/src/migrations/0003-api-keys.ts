import { type Columns, type MigrationContext } from './columns';

/** API keys, which authenticate as an account. */
export async function apiKeys(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('api_key')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('key_ends', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
    .addUniqueConstraint('api_key_key_hash_unique', ['key_hash']);
  await table.execute();
  await db.schema.createIndex('api_key_account_id_id').on('api_key').columns(['account_id', 'id']).execute();
}
