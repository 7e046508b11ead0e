import { type Database } from '../database/database';
import { StoreUnavailableError } from '../errors';
import type { Job } from './job';
import { JobRunner } from './job-runner.service';
import type { Lease } from './lease';

const MINUTE = 60_000;

/** Always due. */
function lease() {
  return {
    take: vi.fn<Lease['take']>(async () => true),
    renew: vi.fn<Lease['renew']>(async () => true),
    complete: vi.fn<Lease['complete']>(async () => undefined),
  };
}

function runnerOf(job: Omit<Job, 'name'>, jobLease: ReturnType<typeof lease> = lease()) {
  return new JobRunner({} as Database, { name: 'rows', ...job }, jobLease);
}

/** A job that deletes rows in batches. */
function deleting(rows: number): Omit<Job, 'name'> & { left(): number } {
  let left = rows;
  const batch = async (limit: number) => {
    const deleted = Math.min(limit, left);
    left -= deleted;
    return deleted;
  };
  return { run: ({ inBatches }) => inBatches(batch), left: () => left };
}

describe('the runner of a job', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('repeats batches while there may be more', async () => {
    const batches = [500, 501, 499, 0];
    await runnerOf({ run: ({ inBatches }) => inBatches(async () => batches.shift() ?? 0) }).run();
    expect(batches).toEqual([0]);
  });

  it('announces the job before it takes the lease', async () => {
    const [jobLease, job, announce] = [
      lease(),
      deleting(1),
      vi.fn<() => Promise<void>>(async () => undefined),
    ];
    jobLease.take.mockImplementation(async () => announce.mock.calls.length > 0);
    const runner = runnerOf({ ...job, announce }, jobLease);
    await runner.check();
    expect(job.left()).toBe(0);
  });

  it('is left to the first of several workers', async () => {
    vi.stubEnv('SLUICE_WORKER', '2');
    const job = deleting(1);
    const runner = runnerOf(job);
    runner.onApplicationBootstrap();
    vi.unstubAllEnvs();
    vi.advanceTimersByTime(MINUTE);
    await runner.onModuleDestroy();
    expect(job.left()).toBe(1);
  });

  it('runs the job periodically, also after a failed run', async () => {
    const job = deleting(1);
    const run = vi.fn<Job['run']>(job.run).mockRejectedValueOnce(new TypeError('a mistake'));
    const runner = runnerOf({ run });
    vi.spyOn(runner['logger'], 'error').mockImplementation(() => undefined);
    runner.onApplicationBootstrap();
    for (const round of [1, 2]) {
      vi.advanceTimersByTime(MINUTE);
      await runner['checks']['running'];
      expect(run).toHaveBeenCalledTimes(round);
    }
    expect(job.left()).toBe(0);
    await runner.onModuleDestroy();
  });

  it('runs it while it is due and the lease is held', async () => {
    const [jobLease, job] = [lease(), deleting(1200)];
    jobLease.take.mockResolvedValueOnce(false);
    jobLease.renew.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
    const runner = runnerOf(job, jobLease);
    await runner.check();
    expect([job.left(), jobLease.complete.mock.calls.length]).toEqual([1200, 0]);
    await runner.check();
    expect([job.left(), jobLease.complete.mock.calls.length]).toEqual([700, 1]);
  });

  it('logs a failure of the lease, except while the store is unavailable', async () => {
    const jobLease = lease();
    jobLease.take
      .mockRejectedValueOnce(new StoreUnavailableError('down'))
      .mockRejectedValueOnce(new TypeError('a mistake'));
    const runner = runnerOf(deleting(0), jobLease);
    const logged = vi.spyOn(runner['logger'], 'error').mockImplementation(() => undefined);
    for (const [failures, runs] of [
      [0, 0],
      [1, 0],
      [1, 1],
    ]) {
      await runner.check();
      expect([logged.mock.calls.length, jobLease.complete.mock.calls.length]).toEqual([failures, runs]);
    }
  });

  it('completes the lease with the failure', async () => {
    const jobLease = lease();
    const runner = runnerOf({ run: () => Promise.reject(new TypeError('a mistake')) }, jobLease);
    vi.spyOn(runner['logger'], 'error').mockImplementation(() => undefined);
    await runner.check();
    expect(jobLease.complete.mock.calls).toEqual([['TypeError: a mistake']]);
  });

  it('clears the timer, aborts and waits for the running batch on shutdown', async () => {
    const [begun, batch, jobLease] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<number>(),
      lease(),
    ];
    const work = vi.fn<() => Promise<number>>(() => {
      begun.resolve();
      return batch.promise;
    });
    const runner = runnerOf({ run: ({ inBatches }) => inBatches(work) }, jobLease);
    runner.onApplicationBootstrap();
    await begun.promise;
    const ended = runner.onModuleDestroy();
    expect(vi.getTimerCount()).toBe(0);
    batch.resolve(500);
    await ended;
    expect([work.mock.calls.length, jobLease.complete.mock.calls.length]).toEqual([1, 0]);
  });
});
