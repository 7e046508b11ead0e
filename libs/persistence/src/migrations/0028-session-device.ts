import { type Columns, type MigrationContext } from './columns';

/** From which device a session was opened; `null` for sessions of programs that do not know the column. */
export async function sessionDevice(db: MigrationContext, { text }: Columns): Promise<void> {
  await db.schema.alterTable('session').addColumn('device', text).execute();
}
