import { sql } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { baseSchema } from '../../testing/sample-schema';
import { MissingFeaturesError } from '../errors';
import { migrate } from './migrate';

const canRun = process.env.TEST_DATABASE_URL !== undefined;

describe.runIf(canRun)('a store with the protocol of PostgreSQL (needs PostgreSQL)', () => {
  const store = useMigratedDatabase();

  it('is refused with all that it lacks', async () => {
    for (const name of ['make_interval', 'json_agg'])
      await sql`alter routine pg_catalog.${sql.raw(name)} rename to ${sql.raw(`missing_${name}`)}`.execute(
        store.db,
      );
    const migrating = migrate(store.db, [baseSchema]);
    await expect(migrating).rejects.toThrow(MissingFeaturesError);
    await expect(migrating).rejects.toThrow(
      'lacks what the program needs: intervals of seconds (make_interval), JSON from rows (json_agg); see',
    );
  });

  it('is not refused if it has all of it', async () => {
    await expect(migrate(store.db, [baseSchema])).resolves.toEqual([]);
  });
});
