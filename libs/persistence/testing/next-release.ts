import { type Database } from '../src/database';
import { migrate } from '../src/migrate';
import { concurrentIndex } from '../src/migrations/concurrent-index';
import { type Migrations } from '../src/migrations/migration';
import { migrations } from '../src/migrations/migrations';

const newest = Object.keys(migrations).at(-1) ?? '';

/** The migrations of this release, and those of one that follows and allows programs of this one. */
export const nextRelease: Migrations = {
  ...migrations,
  '9997-note': {
    apply: ({ schema }, { text }) => schema.alterTable('item').addColumn('note', text).execute(),
    runsSince: newest,
  },
  '9998-tag': {
    apply: async ({ schema }, { integer, text, id, strictTypes }) => {
      const table = schema
        .createTable('tag')
        .$call(strictTypes)
        .addColumn('id', integer, id)
        .addColumn('item_id', integer, (column) => column.references('item.id').onDelete('cascade'))
        .addColumn('label', text, (column) => column.notNull());
      await table.execute();
      await schema
        .alterTable('account')
        .addColumn('logins', integer, (column) => column.notNull().defaultTo(0))
        .execute();
    },
    runsSince: newest,
  },
  '9999-item-name': {
    ...concurrentIndex({ name: 'item_name', table: 'item', columns: ['name'] }),
    runsSince: newest,
  },
};

/** Migrates a database as the next release does when it starts. */
export async function migrateToNextRelease(db: Database): Promise<void> {
  await migrate(db, nextRelease);
}
