import { type Columns, type MigrationContext } from './columns';

/** The application that opened a session; `null` for sessions of programs that do not know the column. */
export async function sessionAudience(db: MigrationContext, { text }: Columns): Promise<void> {
  await db.schema.alterTable('session').addColumn('audience', text).execute();
}
