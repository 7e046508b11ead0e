import type { Queries } from '@app/persistence';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { clockSources, DatabaseClock } from './database-clock';

const [SECOND, HOUR] = [1_000, 3_600_000];

describe('the clock of a store', () => {
  const current = useAccountsDatabase();

  it('returns the time of the database', async () => {
    const clock = new DatabaseClock(clockSources(current.db));
    expect(Math.abs((await clock.read(current.db)).getTime() - Date.now())).toBeLessThan(SECOND);
  });

  describe('that is set', () => {
    let elapsed: number;
    let step: number;
    let clock: DatabaseClock;
    const read = () => clock.read({} as Queries);
    beforeEach(async () => {
      elapsed = 1_000_000;
      step = 0;
      clock = new DatabaseClock({ wall: async () => elapsed + step, monotonic: () => elapsed });
      await read();
    });

    it('back continues from its last time', async () => {
      const before = await read();
      step = -HOUR;
      expect(await read()).toEqual(before);
      elapsed += 2 * HOUR;
      expect((await read()).getTime() - before.getTime()).toBe(2 * HOUR);
    });

    it('forward is followed, and not set back afterwards', async () => {
      const before = await read();
      step = HOUR;
      expect((await read()).getTime() - before.getTime()).toBe(HOUR);
      step = 0;
      elapsed += SECOND;
      expect((await read()).getTime() - before.getTime()).toBe(HOUR + SECOND);
    });

    it('by less than a second is followed in both directions', async () => {
      const before = await read();
      step = -900;
      expect((await read()).getTime() - before.getTime()).toBe(-900);
    });

    it('forward subtracts the jump from the age of a time before it', async () => {
      const time = await read();
      elapsed += 4 * SECOND;
      await read();
      step = HOUR;
      elapsed += 3 * SECOND;
      const now = await read();
      expect(clock.since(time, now)).toBe(7 * SECOND);
      const later = await read();
      elapsed += 5 * SECOND;
      expect(clock.since(later, await read())).toBe(5 * SECOND);
    });

    it('forward subtracts nothing from the age of an older time', async () => {
      const time = await read();
      elapsed += HOUR;
      await read();
      step = HOUR;
      const now = await read();
      expect(clock.since(time, now)).toBe(HOUR);
      elapsed += HOUR + 11 * SECOND;
      expect(clock.since(now, await read())).toBe(HOUR + 11 * SECOND);
    });
  });
});
