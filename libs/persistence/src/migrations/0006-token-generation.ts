import { type MigrationContext } from './columns';

/** Renames the column that is incremented when all tokens of an account are revoked. */
export async function tokenGeneration(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('account').renameColumn('epoch', 'token_generation').execute();
}
