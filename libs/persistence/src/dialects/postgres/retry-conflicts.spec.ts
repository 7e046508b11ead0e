import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../errors';
import { ConflictRetries } from './retry-conflicts';

const conflict = () => Object.assign(new Error('could not serialize access'), { code: '40001' });

describe('transactions that conflict', () => {
  afterEach(() => void vi.useRealTimers());

  it('are retried one after the other, so that they do not fail because of each other again', async () => {
    const retries = new ConflictRetries();
    let [commits, retrying, mostAtOnce] = [0, 0, 0];
    const transaction = () => {
      let tries = 0;
      return retries.run(60_000, async () => {
        const seen = commits;
        if ((tries += 1) > 1) mostAtOnce = Math.max(mostAtOnce, (retrying += 1));
        for (let statement = 0; statement < 5; statement += 1) await turn();
        if (tries > 1) retrying -= 1;
        if (commits !== seen) throw conflict();
        commits += 1;
      });
    };

    await Promise.all(Array.from({ length: 24 }, transaction));

    expect([commits, mostAtOnce]).toEqual([24, 1]);
  });

  it('do not wait for one that waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const retries = new ConflictRetries();
    const failingOnce = (result: Promise<string>) =>
      vi.fn<() => Promise<string>>(async () => result).mockRejectedValueOnce(conflict());
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = retries.run(60_000, failingOnce(promise));
    const next = retries.run(60_000, failingOnce(Promise.resolve('the next')));

    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next).toBe('the next');
    resolve('the first');
    expect(await waiting).toBe('the first');
    expect(await retries.run(0, failingOnce(Promise.resolve('a later one')))).toBe('a later one');
  });

  it('fail with the last conflict when their time is over, and let the next one try', async () => {
    const retries = new ConflictRetries();
    const cause = conflict();

    await expect(retries.run(0, () => Promise.reject(cause))).rejects.toThrow(StoreUnavailableError);
    await expect(retries.run(0, () => Promise.reject(new TypeError('other')))).rejects.toThrow('other');
    expect(await retries.run(0, async () => 'done')).toBe('done');
  });
});
