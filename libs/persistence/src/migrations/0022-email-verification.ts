import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';

/**
 * Verified e-mails, and the links that confirm or undo one. Programs that do not know the column would leave it set when they change
 * an e-mail, so they do not start.
 */
export async function emailVerification(db: MigrationContext, columns: Columns): Promise<void> {
  const { integer, timestamp, text, id, strictTypes } = columns;
  await db.schema.alterTable('account').addColumn('email_verified_at', timestamp).execute();
  const table = db.schema
    .createTable('email_link')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('email_link_token_hash_unique', ['token_hash'])
    .addCheckConstraint('email_link_kind_known', sql`kind in ('confirm', 'undo')`);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('email_link');
  await index('email_link_account_id').column('account_id').execute();
  await index('email_link_email_key').column('email_key').execute();
  await index('email_link_expires_at').column('expires_at').execute();
}
