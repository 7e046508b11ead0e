import { type Database } from '../src/database/database';
import { framework } from '../src/framework/framework';
import { migrate } from '../src/migrations/migrate';
import { concurrentIndex } from '../src/schema/concurrent-index';
import { type MigrationHistory, type Migrations } from '../src/schema/migration';

/** A history, and migrations of a release that follows. */
export function followedBy({ owner, migrations }: MigrationHistory, next: Migrations): MigrationHistory {
  return { owner, migrations: { ...migrations, ...next } };
}

/** The framework of this release, and of one that follows and allows programs of this one. */
export const nextRelease = followedBy(framework, {
  '9997-note': {
    apply: ({ schema }, { text }) => schema.alterTable('account').addColumn('note', text).execute(),
  },
  '9998-tag': {
    apply: async ({ schema }, { integer, text, id, strictTypes }) => {
      const table = schema
        .createTable('tag')
        .$call(strictTypes)
        .addColumn('id', integer, id)
        .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('cascade'))
        .addColumn('label', text, (column) => column.notNull());
      await table.execute();
      await schema
        .alterTable('account')
        .addColumn('logins', integer, (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '9999-account-name': concurrentIndex({
    name: 'account_full_name',
    table: 'account',
    columns: ['full_name'],
  }),
});

/** Migrates a database as the next release does when it starts, with tables of its own. */
export async function migrateToNextRelease(
  db: Database,
  ...others: readonly MigrationHistory[]
): Promise<void> {
  await migrate(db, [nextRelease, ...others]);
}
