import { Housekeeping, type RetentionRule } from './housekeeping';

const DAY = 86_400_000;

/** Rows of given ages. */
function agedRows(...agesInDays: number[]): RetentionRule & { left(): number } {
  const times = agesInDays.map((age) => Date.now() - age * DAY);
  return {
    keepMs: 90 * DAY,
    left: () => times.length,
    deleteOlder: async (before, limit) => {
      const old = times.filter((time) => time < before.getTime()).slice(0, limit);
      for (const time of old) times.splice(times.indexOf(time), 1);
      return old.length;
    },
  };
}

describe('housekeeping', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('deletes all rows after their retention period, and no others', async () => {
    const ages = [...Array<number>(1200).fill(91), 89, 1];
    const events = agedRows(...ages);
    await new Housekeeping([events]).run();
    expect(events.left()).toBe(2);
  });

  it('is left to the first of several workers', async () => {
    vi.stubEnv('SLUICE_WORKER', '2');
    const events = agedRows(91);
    const housekeeping = new Housekeeping([events]);
    housekeeping.onApplicationBootstrap();
    vi.unstubAllEnvs();
    vi.advanceTimersByTime(10 * 60 * 1000);
    await housekeeping.onModuleDestroy();
    expect(events.left()).toBe(1);
  });

  it('runs periodically, also after a failed run', async () => {
    const events = agedRows(91);
    const deleteOlder = vi
      .fn<RetentionRule['deleteOlder']>(events.deleteOlder)
      .mockRejectedValueOnce(new TypeError('a mistake'));
    const housekeeping = new Housekeeping([{ ...events, deleteOlder }]);
    vi.spyOn(housekeeping['logger'], 'error').mockImplementation(() => undefined);
    housekeeping.onApplicationBootstrap();
    for (const round of [1, 2]) {
      vi.advanceTimersByTime(10 * 60 * 1000);
      await housekeeping['running'];
      expect(deleteOlder).toHaveBeenCalledTimes(round);
    }
    expect(events.left()).toBe(0);
    await housekeeping.onModuleDestroy();
  });

  it('clears the timer and waits for the running statement on shutdown', async () => {
    const held = Promise.withResolvers<number>();
    const deleteOlder = vi.fn<RetentionRule['deleteOlder']>(() => held.promise);
    const housekeeping = new Housekeeping([{ keepMs: DAY, deleteOlder }]);
    housekeeping.onApplicationBootstrap();
    vi.advanceTimersByTime(10 * 60 * 1000);
    const ended = housekeeping.onModuleDestroy();
    expect(vi.getTimerCount()).toBe(0);
    held.resolve(500);
    await ended;
    expect(deleteOlder).toHaveBeenCalledTimes(1);
  });
});
