import { type Columns, type MigrationContext } from './columns';

/** When an API key expires. Programs that do not know the column would accept expired keys, so they do not start. */
export async function apiKeyExpiry(db: MigrationContext, { timestamp }: Columns): Promise<void> {
  await db.schema.alterTable('api_key').addColumn('expires_at', timestamp).execute();
  await db.schema.createIndex('api_key_expires_at').on('api_key').column('expires_at').execute();
}
