import { StoreUnavailableError } from '@app/persistence';
import type { RetentionRule, Retentions } from './retentions';
import type { JobLease } from './job-lease';
import { Housekeeping } from './housekeeping.service';

const [MINUTE, DAY] = [60_000, 86_400_000];

/** Always due. */
function lease() {
  return {
    take: vi.fn<JobLease['take']>(async () => true),
    renew: vi.fn<JobLease['renew']>(async () => true),
    complete: vi.fn<JobLease['complete']>(async () => undefined),
  };
}

/** Rules with the periods of this program. */
function retentions(...rules: RetentionRule[]) {
  return { state: vi.fn<Retentions['state']>(async () => undefined), longest: async () => rules };
}

/** Rows of given ages. */
function agedRows(...agesInDays: number[]): RetentionRule & { left(): number } {
  const times = agesInDays.map((age) => Date.now() - age * DAY);
  return {
    name: 'events',
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
    await new Housekeeping(lease(), retentions(events)).run();
    expect(events.left()).toBe(2);
  });

  it('does tasks in batches, before the rules', async () => {
    const order: string[] = [];
    const batches = [500, 501, 499];
    const task = async () => {
      order.push('task');
      return batches.shift() ?? 0;
    };
    const deleteOlder = async () => {
      order.push('rule');
      return 0;
    };
    await new Housekeeping(lease(), retentions({ name: 'rows', keepMs: DAY, deleteOlder }), [task]).run();
    expect(order).toEqual(['task', 'task', 'task', 'rule']);
  });

  it('states the periods of this program before it takes the lease, and applies the longest of all', async () => {
    const [held, events] = [lease(), agedRows(100, 91)];
    const longest = async () => [{ ...events, keepMs: 95 * DAY }];
    const program = { ...retentions(), longest };
    held.take.mockImplementation(async () => program.state.mock.calls.length > 0);
    const housekeeping = new Housekeeping(held, program);
    housekeeping.onApplicationBootstrap();
    await housekeeping['checks']['running'];
    await housekeeping.onModuleDestroy();
    expect(events.left()).toBe(1);
  });

  it('is left to the first of several workers', async () => {
    vi.stubEnv('SLUICE_WORKER', '2');
    const events = agedRows(91);
    const housekeeping = new Housekeeping(lease(), retentions(events));
    housekeeping.onApplicationBootstrap();
    vi.unstubAllEnvs();
    vi.advanceTimersByTime(MINUTE);
    await housekeeping.onModuleDestroy();
    expect(events.left()).toBe(1);
  });

  it('runs periodically, also after a failed run', async () => {
    const events = agedRows(91);
    const deleteOlder = vi
      .fn<RetentionRule['deleteOlder']>(events.deleteOlder)
      .mockRejectedValueOnce(new TypeError('a mistake'));
    const housekeeping = new Housekeeping(lease(), retentions({ ...events, deleteOlder }));
    vi.spyOn(housekeeping['logger'], 'error').mockImplementation(() => undefined);
    housekeeping.onApplicationBootstrap();
    for (const round of [1, 2]) {
      vi.advanceTimersByTime(MINUTE);
      await housekeeping['checks']['running'];
      expect(deleteOlder).toHaveBeenCalledTimes(round);
    }
    expect(events.left()).toBe(0);
    await housekeeping.onModuleDestroy();
  });

  it('is done while it is due and the lease is held', async () => {
    const [held, events] = [lease(), agedRows(...Array<number>(1200).fill(91))];
    held.take.mockResolvedValueOnce(false);
    held.renew.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
    const housekeeping = new Housekeeping(held, retentions(events));
    housekeeping.onApplicationBootstrap();
    await housekeeping['checks']['running'];
    expect([events.left(), held.complete.mock.calls.length]).toEqual([1200, 0]);
    vi.advanceTimersByTime(MINUTE);
    await housekeeping['checks']['running'];
    expect([events.left(), held.complete.mock.calls.length]).toEqual([700, 1]);
    await housekeeping.onModuleDestroy();
  });

  it('logs a failure of the lease, except while the store is unavailable', async () => {
    const held = lease();
    held.take
      .mockRejectedValueOnce(new StoreUnavailableError('down'))
      .mockRejectedValueOnce(new TypeError('a mistake'));
    const housekeeping = new Housekeeping(held, retentions());
    const logged = vi.spyOn(housekeeping['logger'], 'error').mockImplementation(() => undefined);
    housekeeping.onApplicationBootstrap();
    for (const [failures, runs] of [
      [0, 0],
      [1, 0],
      [1, 1],
    ]) {
      await housekeeping['checks']['running'];
      expect([logged.mock.calls.length, held.complete.mock.calls.length]).toEqual([failures, runs]);
      vi.advanceTimersByTime(MINUTE);
    }
    await housekeeping.onModuleDestroy();
  });

  it('is not complete after a failure', async () => {
    const held = lease();
    const housekeeping = new Housekeeping(held, retentions(), [
      () => Promise.reject(new TypeError('a mistake')),
    ]);
    vi.spyOn(housekeeping['logger'], 'error').mockImplementation(() => undefined);
    housekeeping.onApplicationBootstrap();
    await housekeeping['checks']['running'];
    await housekeeping.onModuleDestroy();
    expect([held.take.mock.calls.length, held.complete.mock.calls.length]).toEqual([1, 0]);
  });

  it('clears the timer and waits for the running statement on shutdown', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    const deleteOlder = vi.fn<RetentionRule['deleteOlder']>(() => {
      begun.resolve();
      return held.promise;
    });
    const asked = lease();
    const housekeeping = new Housekeeping(asked, retentions({ name: 'rows', keepMs: DAY, deleteOlder }));
    housekeeping.onApplicationBootstrap();
    await begun.promise;
    const ended = housekeeping.onModuleDestroy();
    expect(vi.getTimerCount()).toBe(0);
    held.resolve(500);
    await ended;
    expect([deleteOlder.mock.calls.length, asked.complete.mock.calls.length]).toEqual([1, 0]);
  });
});
