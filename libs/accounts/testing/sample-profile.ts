import { type Columns, type MigrationContext, DatabaseSchema } from '@app/persistence';
import { Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** The additional user fields in tests. */
export class SampleProfile {
  @Expose() @IsString() username!: string;
}

/** An application schema with a table for {@link SampleProfile}. */
export const profileSchema = new DatabaseSchema('sample with profiles', [
  {
    name: 'profile',
    secrecy: { accountId: 'internal', username: 'open' },
    exported: { part: 'profile' },
    migrations: { '0001-profile': { apply: createProfile } },
  },
]);

async function createProfile(
  { schema }: MigrationContext,
  { integer, text, strictTypes }: Columns,
): Promise<void> {
  await schema
    .createTable('profile')
    .$call(strictTypes)
    .addColumn('account_id', integer, (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('username', text, (column) => column.notNull())
    .addUniqueConstraint('profile_username_unique', ['username'])
    .execute();
}
