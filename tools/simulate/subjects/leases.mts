import type { Job } from '../../../libs/persistence/src/jobs/job.ts';
import { JobRunner } from '../../../libs/persistence/src/jobs/job-runner.service.ts';
import { Lease } from '../../../libs/persistence/src/jobs/lease.ts';
import { Fleet } from '../kernel/fleet.mts';
import { disturb } from '../kernel/nemesis.mts';
import type { Program } from '../kernel/program.mts';
import { SimulatedDatabase } from '../kernel/simulated-database.mts';
import type { Process, World } from '../kernel/world.mts';
import { altered, type Subject } from './subject.mts';

const BATCH = 500;
/** The longest time between two job runs, as long as any program can reach the store. */
const AT_LEAST_EVERY_MS = 10 * 60_000;

/** The observations of the job from outside. */
interface Observed {
  /** The process that took or renewed the lease last. */
  holder: Process | undefined;
  /** The time when a batch began or ended, or the last disturbance. */
  ranAt: number;
}

export const leases: Subject = {
  name: 'leases',
  claims: [
    'only the program that holds the lease begins a batch of the job',
    `the job runs at least every ${AT_LEAST_EVERY_MS / 60_000} minutes while nothing comes between`,
  ],
  programHours: 100,
  leastMinutes: 60,
  faults: [
    {
      name: 'lease-for-all',
      what: 'a lease that has not expired is taken',
      alter: (query) =>
        altered(query, / where \("job_lease"."ends_at" <= .*$/, ' where ? is not null and ? is not null'),
    },
    {
      name: 'renewal-by-anyone',
      what: 'who has lost the lease renews it',
      alter: (query) => altered(query, /^(update "job_lease" .*) and "holder" = \?$/, '$1 and ? is not null'),
    },
  ],
  begin(world) {
    const job: Observed = { holder: undefined, ranAt: 0 };
    world.onWrite = (program, { sql }, { numAffectedRows }) => {
      if (sql.includes('"job_lease"') && Number(numAffectedRows) > 0) {
        job.holder = program;
        world.focus = program.machine;
      }
    };
    const fleet = new Fleet(world, (program) => startProgram(world, program, job));
    disturb(world, fleet, 60_000, 30 * 60_000);
    watch(world, fleet, job);
  },
};

function startProgram(world: World, program: Program, job: Observed): void {
  const { timing } = program;
  const wall = () => program.request<number>((answer) => answer(world.serverWall()));
  const db = new SimulatedDatabase(program);
  const lease = new Lease(db, 'accounts', { clock: { wall, monotonic: timing.monotonic } });
  const batch = batchesOf(world, program, job);
  const run: Job['run'] = ({ inBatches }) => inBatches(batch);
  new JobRunner(db, { name: 'accounts', run }, lease, timing).onApplicationBootstrap();
}

/** Returns batches with very different lengths. Some end at once, and some take longer than the lease. */
function batchesOf(world: World, program: Program, job: Observed): (limit: number) => Promise<number> {
  let left = 0;
  return async (limit) => {
    world.check(job.holder === program, () => {
      const holder = job.holder?.machine.name ?? 'nobody';
      return `${program.machine.name} begins a batch, and ${holder} has the lease`;
    });
    job.ranAt = world.events.now;
    if (left === 0) {
      left = 1 + world.random.below(200);
      world.note(`${program.machine.name} runs the job in ${left} batches`);
    }
    left -= 1;
    await program.request<void>((answer) =>
      world.events.after(world.random.exponential(2_000), () => answer()),
    );
    job.ranAt = world.events.now;
    return left > 0 ? limit : BATCH - 1;
  };
}

function watch(world: World, fleet: Fleet, job: Observed): void {
  const { events } = world;
  const next = (): void =>
    events.after(30_000, () => {
      const isAnyWell = fleet.running.some(({ machine }) => world.isWellSince(machine, job.ranAt));
      if (!isAnyWell) job.ranAt = events.now;
      world.check(events.now - job.ranAt <= AT_LEAST_EVERY_MS, () => 'the job has not run for ten minutes');
      next();
    });
  next();
}
