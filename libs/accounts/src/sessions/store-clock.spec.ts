import { useMigratedDatabase } from '@app/persistence/testing';
import type { Queries } from '@app/persistence';
import { clockSources, StoreClock } from './store-clock';

const [SECOND, HOUR] = [1_000, 3_600_000];

describe('the clock of a store', () => {
  const current = useMigratedDatabase();

  it('shows the time of the store', async () => {
    const clock = new StoreClock(clockSources(current.db));
    expect(Math.abs((await clock.read(current.db)).getTime() - Date.now())).toBeLessThan(SECOND);
  });

  describe('that is set', () => {
    let counted: number;
    let step: number;
    let clock: StoreClock;
    const read = () => clock.read({} as Queries);
    beforeEach(async () => {
      counted = 1_000_000;
      step = 0;
      clock = new StoreClock({ shown: async () => counted + step, counted: () => counted });
      await read();
    });

    it('back counts on from where it was', async () => {
      const before = await read();
      step = -HOUR;
      expect(await read()).toEqual(before);
      counted += 2 * HOUR;
      expect((await read()).getTime() - before.getTime()).toBe(2 * HOUR);
    });

    it('ahead is followed, and stays there when it is set right', async () => {
      const before = await read();
      step = HOUR;
      expect((await read()).getTime() - before.getTime()).toBe(HOUR);
      step = 0;
      counted += SECOND;
      expect((await read()).getTime() - before.getTime()).toBe(HOUR + SECOND);
    });

    it('by less than a second is followed either way: so clocks drift', async () => {
      const before = await read();
      step = -900;
      expect((await read()).getTime() - before.getTime()).toBe(-900);
    });

    it('ahead tells how long ago a moment before is', async () => {
      const moment = await read();
      counted += 4 * SECOND;
      await read();
      step = HOUR;
      counted += 3 * SECOND;
      const now = await read();
      expect([clock.since(moment, now), clock.ago(10 * SECOND, now) <= moment]).toEqual([7 * SECOND, true]);
      const later = await read();
      counted += 5 * SECOND;
      expect(clock.since(later, await read())).toBe(5 * SECOND);
    });

    it('ahead makes nothing recent of what is not', async () => {
      const moment = await read();
      counted += HOUR;
      await read();
      step = HOUR;
      const now = await read();
      expect(clock.since(moment, now)).toBe(HOUR);
      counted += HOUR + 11 * SECOND;
      expect(clock.since(now, await read())).toBe(HOUR + 11 * SECOND);
    });
  });
});
