import { sql } from 'kysely';
import { type MigrationContext } from './columns';

/** Administrators are found without reading every account, and without conflicting with changes of other accounts. */
export async function administrators(db: MigrationContext): Promise<void> {
  await db.schema
    .createIndex('account_administrators')
    .on('account')
    .column('id')
    .where(sql.ref('role'), '=', sql.lit('admin'))
    .execute();
}
