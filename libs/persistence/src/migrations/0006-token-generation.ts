import { type MigrationContext } from './columns';

/** The column that counts how often all tokens of an account ended at once gets the name that the code has for it. */
export async function tokenGeneration(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('account').renameColumn('epoch', 'token_generation').execute();
}
