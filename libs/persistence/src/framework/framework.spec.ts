import { sql } from 'kysely';
import { historyBehaves, requiredIn } from '../../testing/history-behaves';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { nextRelease } from '../../testing/next-release';
import { sampleSchema } from '../../testing/sample-schema';
import { framework } from './framework';

/** Of this release, and of one that follows. */
historyBehaves(nextRelease);
historyBehaves(sampleSchema, [framework]);

describe('a migration that allows older programs', () => {
  const store = useMigratedDatabase();

  it('may add a required column that has a default', async () => {
    await sql`create table note (lines integer not null, pages integer not null default 1)`.execute(store.db);
    const tables = await store.db.introspection.getTables();
    const before = tables.map((table) => (table.name === 'note' ? { ...table, columns: [] } : table));
    expect(before.flatMap((table) => requiredIn(table, tables))).toEqual(['note.lines']);
  });
});
