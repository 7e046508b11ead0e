import { type Columns, type MigrationContext } from './columns';

/** What an API key is restricted to. Programs that do not know the column would not restrict it, so they do not start. */
export async function apiKeyScopes(db: MigrationContext, { text }: Columns): Promise<void> {
  await db.schema.alterTable('api_key').addColumn('scopes', text).execute();
}
