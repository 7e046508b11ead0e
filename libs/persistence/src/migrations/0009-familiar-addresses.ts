import { type Columns, type MigrationContext } from './columns';

/** The addresses from which an account signed in, hashed. */
export async function familiarAddresses(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('familiar_address')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('last_sign_in_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('familiar_address');
  await index('familiar_address_account_id').column('account_id').execute();
  await index('familiar_address_last_sign_in_at').column('last_sign_in_at').execute();
}
