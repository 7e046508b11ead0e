import { type Columns, type MigrationContext } from './columns';

/** When the link of a password reset expires. */
export async function passwordReset(db: MigrationContext, { timestamp }: Columns): Promise<void> {
  await db.schema.alterTable('account').addColumn('password_reset_expires_at', timestamp).execute();
}
