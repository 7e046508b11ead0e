import { useMigratedDatabase } from '../../testing/migrated-database';
import { inTransaction } from '../database/transaction';
import { DatabaseClock } from './database-clock';

describe('the clock of a store', () => {
  const current = useMigratedDatabase();

  it('returns the time of the database', async () => {
    const clock = new DatabaseClock(current.db);
    expect(Math.abs((await clock.wall(current.db)) - Date.now())).toBeLessThan(1_000);
  });

  it('goes on in a transaction', async () => {
    const clock = new DatabaseClock(current.db);
    await inTransaction(current.db, async (transaction) => {
      const before = await clock.wall(transaction);
      await vi.waitFor(async () => expect(await clock.wall(transaction)).toBeGreaterThan(before));
    });
  });
});
