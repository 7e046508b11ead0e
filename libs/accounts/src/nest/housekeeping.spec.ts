import { Housekeeping, type Sweep } from './housekeeping';

const DAY = 86_400_000;

/** Things of some age, of which those that are too old can be forgotten. */
function shelf(...agesInDays: number[]): Sweep & { left(): number } {
  const made = agesInDays.map((age) => Date.now() - age * DAY);
  return {
    keepMs: 90 * DAY,
    left: () => made.length,
    forget: async (before, limit) => {
      const old = made.filter((moment) => moment < before.getTime()).slice(0, limit);
      for (const moment of old) made.splice(made.indexOf(moment), 1);
      return old.length;
    },
  };
}

describe('housekeeping', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('forgets what was kept long enough, however much it is, and nothing else', async () => {
    const ages = [...Array<number>(1200).fill(91), 89, 1];
    const events = shelf(...ages);
    await new Housekeeping([events]).sweep();
    expect(events.left()).toBe(2);
  });

  it('does so by itself, and goes on when one round failed', async () => {
    const events = shelf(91);
    const forget = vi.fn<Sweep['forget']>(events.forget).mockRejectedValueOnce(new TypeError('a mistake'));
    const housekeeping = new Housekeeping([{ ...events, forget }]);
    vi.spyOn(housekeeping['logger'], 'error').mockImplementation(() => undefined);
    housekeeping.onApplicationBootstrap();
    for (const round of [1, 2]) {
      vi.advanceTimersByTime(10 * 60 * 1000);
      await housekeeping['sweeping'];
      expect(forget).toHaveBeenCalledTimes(round);
    }
    expect(events.left()).toBe(0);
    await housekeeping.onModuleDestroy();
  });

  it('leaves no timer behind, and waits for the statement under way', async () => {
    const held = Promise.withResolvers<number>();
    const forget = vi.fn<Sweep['forget']>(() => held.promise);
    const housekeeping = new Housekeeping([{ keepMs: DAY, forget }]);
    housekeeping.onApplicationBootstrap();
    vi.advanceTimersByTime(10 * 60 * 1000);
    const ended = housekeeping.onModuleDestroy();
    expect(vi.getTimerCount()).toBe(0);
    held.resolve(500);
    await ended;
    expect(forget).toHaveBeenCalledTimes(1);
  });
});
