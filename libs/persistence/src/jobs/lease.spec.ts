import { jobsSchema, SetClock } from '../../testing/jobs';
import { useLostConnections } from '../../testing/lost-connections';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { UnknownOutcomeError } from '../errors';
import type { JobRun } from './job';
import { JobRunner } from './job-runner.service';
import { Lease } from './lease';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

describe('the lease of a job', () => {
  const current = useMigratedDatabase([jobsSchema]);
  const lost = useLostConnections(current);
  let time: SetClock;
  beforeEach(() => {
    time = new SetClock();
  });

  /** The lease of a single program. */
  const lease = (kind = 'accounts') => new Lease(current.openAnother(), kind, { clock: time });

  /** Takes and completes the lease if the job is due. */
  async function run(program: Lease): Promise<boolean> {
    const isTaken = await program.take();
    if (isTaken) await program.complete();
    return isTaken;
  }

  /** Asks every minute, and counts the runs. */
  async function runsWithin(minutes: number, programs: readonly Lease[]): Promise<number> {
    let runs = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const program of programs) if (await run(program)) runs += 1;
      time.pass(MINUTE);
    }
    return runs;
  }

  it('is taken by one of the programs in each period', async () => {
    expect(await runsWithin(28, [lease(), lease(), lease()])).toBe(4);
  });

  it('is taken by one of the programs that start at the same time', async () => {
    const programs = Array.from({ length: 6 }, () => lease());
    const taken = await Promise.all(programs.map((program) => program.take()));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
  });

  describe('with the times of a cron expression', () => {
    // The clock starts on a Sunday at midnight in UTC, a month before the clocks of Vienna are set forward.
    const nightly = (cron = '30 3 * * *', timeZone = 'Europe/Vienna') =>
      new Lease(current.openAnother(), 'nightly', { cron, timeZone, clock: time });
    const startsOf = async (minutes: number, programs: readonly Lease[]) => {
      const starts: string[] = [];
      for (let minute = 0; minute < minutes; minute += 1) {
        const runs = await Promise.all(programs.map((program) => run(program)));
        for (const isRun of runs)
          if (isRun) starts.push(new Date(await time.wall()).toISOString().slice(8, 16));
        time.pass(MINUTE);
      }
      return starts;
    };

    it('is taken by one of the programs at each time, in the time zone', async () => {
      expect(await startsOf(28 * 60, [nightly(), nightly(), nightly()])).toEqual(['01T02:30', '02T02:30']);
    });

    it('is taken once by the next program after times at which no program ran', async () => {
      await startsOf(1, [nightly()]);
      time.pass(50 * HOUR);
      expect(await startsOf(25, [nightly(), nightly()])).toEqual(['03T02:01']);
    });

    it('is left out at times that pass during a run, and kept after an interrupted run', async () => {
      const [program, further] = [nightly('*/10 * * * *'), nightly('*/10 * * * *')];
      expect(await startsOf(10, [program, further])).toEqual([]);
      expect(await program.take()).toBe(true);
      for (let minute = 0; minute < 25; minute += 1) {
        time.pass(MINUTE / 2);
        expect([await program.renew(), await further.take()]).toEqual([true, false]);
        time.pass(MINUTE / 2);
        expect([await program.renew(), await further.take()]).toEqual([true, false]);
      }
      await program.complete();
      expect(await startsOf(10, [program, further])).toEqual(['01T00:40']);
      time.pass(5 * MINUTE);
      expect(await program.take()).toBe(true);
      time.pass(2 * MINUTE);
      expect(await further.take()).toBe(true);
    });

    it('waits for its next time after a failure, a clock that was set back, and a change of the times', async () => {
      const program = nightly('0 * * * *');
      await program.take();
      time.pass(HOUR);
      expect(await program.take()).toBe(true);
      await program.complete('Error: no paper');
      const row = current.db.selectFrom('jobLease').select(['failure', 'startedAt', 'endedAt']);
      expect(await row.executeTakeFirst()).toMatchObject({ failure: 'Error: no paper' });
      expect(await startsOf(60, [program])).toEqual([]);
      expect(await run(program)).toBe(true);
      expect(await row.executeTakeFirst()).toMatchObject({ failure: null });
      expect(await run(nightly('0 0 1 * *', 'UTC'))).toBe(false);
      time.step(-30 * 24 * HOUR);
      expect(await run(program)).toBe(false);
      time.pass(HOUR);
      expect(await run(program)).toBe(true);
    });

    it.each([
      ['61 * * * *', 'UTC', 'Invalid value for minute: 61'],
      ['* * * * * *', 'UTC', 'requires exactly 5 parts'],
      ['0 3 30 2 *', 'UTC', 'has no time in the future'],
      ['0 3 * * *', 'Europe/Nowhere', "Invalid timezone 'Europe/Nowhere'"],
    ])('are refused if they are %s in %s', (cron, timeZone, message) => {
      expect(() => nightly(cron, timeZone)).toThrow(message);
    });

    it('are refused beside an interval', () => {
      expect(() => new Lease(current.db, 'nightly', { cron: '0 3 * * *', every: HOUR })).toThrow('both');
    });
  });

  it('is one for each kind of work', async () => {
    const [admin, api] = [lease('accounts'), lease('pictures')];
    expect([await admin.take(), await api.take()]).toEqual([true, true]);
  });

  it('is taken over within ten minutes of the last run after its holder died', async () => {
    const [first, second] = [lease(), lease()];
    await run(first);
    time.pass(8 * MINUTE - 1);
    expect(await first.take()).toBe(true);
    time.pass(MINUTE - 1);
    expect(await second.take()).toBe(false);
    time.pass(MINUTE);
    expect(await second.take()).toBe(true);
    time.pass(30 * SECOND);
    expect([await first.renew(), await second.renew()]).toEqual([false, true]);
  });

  it('is not ended by a program that lost it', async () => {
    const [first, second] = [lease(), lease()];
    await first.take();
    time.pass(MINUTE);
    expect(await second.take()).toBe(true);
    await first.complete();
    time.pass(MINUTE);
    expect(await lease().take()).toBe(true);
  });

  it('lasts as long as the job asks for after a run', async () => {
    const hourly = (db = current.openAnother()) => new Lease(db, 'hourly', { every: HOUR, clock: time });
    const [first, second] = [hourly(), hourly()];
    await run(first);
    time.pass(HOUR - 1);
    expect(await second.take()).toBe(false);
    time.pass(1);
    expect(await second.take()).toBe(true);
  });

  it('is renewed by a run that takes longer', async () => {
    const second = lease();
    const taken: boolean[] = [];
    const done = Promise.withResolvers<void>();
    const batch = async (limit: number) => {
      time.pass(10 * SECOND);
      taken.push(await second.take());
      if (taken.length < 40) return limit;
      done.resolve();
      return 0;
    };
    const job = { name: 'accounts', run: ({ inBatches }: JobRun) => inBatches(batch) };
    const runner = new JobRunner(current.db, job, lease());
    runner.onApplicationBootstrap();
    await done.promise;
    await runner.onModuleDestroy();
    expect(taken).toEqual(Array<boolean>(40).fill(false));
  });

  it('delays no run by more than eight minutes when the clock is set back', async () => {
    const [first, second] = [lease(), lease()];
    for (const minutes of [1, 3, 7, 60]) {
      await run(first);
      time.step(-minutes * MINUTE);
      expect(await runsWithin(9, [second, first])).toBeGreaterThan(0);
    }
  });

  it('is taken over if the clock is set forward, and then back', async () => {
    const [first, second] = [lease(), lease()];
    await first.take();
    time.step(HOUR);
    expect(await run(second)).toBe(true);
    time.pass(15 * SECOND);
    expect(await first.renew()).toBe(false);
    time.step(-HOUR);
    expect(await first.take()).toBe(true);
  });

  it('is taken within ten minutes where connections are lost after writes', async ({ skip }) => {
    skip(process.env.TEST_DATABASE_URL === undefined, 'needs PostgreSQL');
    const programs = [await lost.open('sequence'), await lost.open('sequence')].map(
      (db) => new Lease(db, 'accounts', { clock: time }),
    );
    const runAt = [0];
    const errors: unknown[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      for (const program of programs) {
        // The first write takes it, the second one completes it.
        const uncut = lost.cutCommit('after', 1 + (minute % 2));
        try {
          if (await program.take()) {
            runAt.push(minute);
            await program.complete();
          }
        } catch (error) {
          errors.push(error);
        }
        uncut();
      }
      time.pass(MINUTE);
    }
    expect(errors.length).toBeGreaterThan(3);
    expect(errors.every((error) => error instanceof UnknownOutcomeError)).toBe(true);
    const pauses = runAt.slice(1).map((minute, at) => minute - runAt[at]);
    expect(pauses.filter((minutes) => minutes > 10)).toEqual([]);
    expect(30 - (runAt.at(-1) ?? 0)).toBeLessThanOrEqual(10);
  });

  it('is by the clock of the store', async () => {
    const program = new Lease(current.db, 'accounts');
    const before = Date.now();
    await program.take();
    const { endsAt } = await current.db.selectFrom('jobLease').select('endsAt').executeTakeFirstOrThrow();
    expect(Math.abs(endsAt.getTime() - before - MINUTE)).toBeLessThan(MINUTE / 2);
  });
});
