import { sql } from 'kysely';
import { historyBehaves, requiredIn } from './history-behaves';
import { useMigratedDatabase } from './migrated-database';
import { nextReleaseOf } from './next-release';
import { baseSchema, sampleSchema } from './sample-schema';

/** The histories for this release and for the next release. */
historyBehaves(nextReleaseOf(baseSchema, 'sample_owner'));
historyBehaves(sampleSchema, [baseSchema]);

describe('a migration that allows older programs', () => {
  const store = useMigratedDatabase();

  it('may add a required column that has a default', async () => {
    await sql`create table note (lines integer not null, pages integer not null default 1)`.execute(store.db);
    const tables = await store.db.introspection.getTables();
    const before = tables.map((table) => (table.name === 'note' ? { ...table, columns: [] } : table));
    expect(before.flatMap((table) => requiredIn(table, tables))).toEqual(['note.lines']);
  });
});
