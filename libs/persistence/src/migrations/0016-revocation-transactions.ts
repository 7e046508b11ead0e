import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';

/**
 * The transaction of each revocation. PostgreSQL assigns ids before the commit, so a reader that goes by them would miss the
 * entry of a slower transaction. On SQLite, where ids are in the order of commits, the column stays empty.
 *
 * Programs before this one rely on a lock that later ones do not take.
 */
export async function revocationTransactions(db: MigrationContext, { transaction }: Columns): Promise<void> {
  await db.schema.alterTable('revocation').addColumn('transaction_id', transaction.type).execute();
  if (transaction.current)
    await sql`alter table revocation alter column transaction_id set default ${transaction.current}`.execute(
      db,
    );
  await db.schema
    .createIndex('revocation_transaction_id')
    .on('revocation')
    .column('transaction_id')
    .execute();
}
