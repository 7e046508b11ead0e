import { concurrentIndex } from '../src/schema/concurrent-index';
import { type MigrationHistory, type Migrations } from '../src/schema/migration';

/** A history, and migrations of a release that follows. */
export function followedBy({ owner, migrations }: MigrationHistory, next: Migrations): MigrationHistory {
  return { owner, migrations: { ...migrations, ...next } };
}

/** Returns the history of a following release, which changes a table and allows programs from this release. */
export function nextReleaseOf(history: MigrationHistory, table: string): MigrationHistory {
  return followedBy(history, {
    '9997-note': {
      apply: ({ schema }, { text }) => schema.alterTable(table).addColumn('note', text).execute(),
    },
    '9998-tag': {
      apply: async ({ schema }, { integer, text, id, strictTypes }) => {
        const tag = schema
          .createTable('tag')
          .$call(strictTypes)
          .addColumn('id', integer, id)
          .addColumn('owner_id', integer, (column) => column.references(`${table}.id`).onDelete('cascade'))
          .addColumn('label', text, (column) => column.notNull());
        await tag.execute();
        await schema
          .alterTable(table)
          .addColumn('logins', integer, (column) => column.notNull().defaultTo(0))
          .execute();
      },
    },
    '9999-logins': concurrentIndex({ name: `${table}_logins`, table, columns: ['logins'] }),
  });
}
