import { RateCountsStore } from '../../../libs/service/src/rate-limit/rate-counts.store.ts';
import { RateLimits } from '../../../libs/service/src/rate-limit/rate-limits.service.ts';
import { RateWindow } from '../../../libs/service/src/rate-limit/rate-window.ts';
import { Fleet } from '../kernel/fleet.mts';
import { disturb } from '../kernel/nemesis.mts';
import type { Program } from '../kernel/program.mts';
import { SimulatedDatabase } from '../kernel/simulated-database.mts';
import type { Machine, World } from '../kernel/world.mts';
import { altered, type Subject } from './subject.mts';

const LIMIT = 40;
const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const CALLERS = 3;
/** The time from a request to the total that includes it: an exchange each second, and an exchange that is under way. */
const EXCHANGE_MS = 3_000;
/** A request that was lost is given up after 5 s, and the counts are sent again. */
const RECOVERY_MS = 8_000;
/** The margin around a window's end, where windows of programs differ. A program with a late clock counts alone. */
const EDGE_MS = 4_000;

/** The requests of a caller in a single window. */
interface Usage {
  readonly accepted: { readonly machine: Machine; readonly at: number }[];
  /** The time at which each program first accepted a request after other programs had exhausted the limit. */
  readonly overSince: Map<Machine, number>;
  wasDisturbed: boolean;
}

export const limits: Subject = {
  name: 'limits',
  claims: [
    `once the programs have accepted ${LIMIT} requests of a caller, each accepts more for ${EXCHANGE_MS / 1_000} s at most`,
    `a program alone accepts no more than ${LIMIT} in a window`,
    'no request is refused before that many were accepted, in a window without disturbance',
  ],
  programHours: 8,
  leastMinutes: 4,
  faults: [
    {
      name: 'totals-replaced',
      what: 'the count of a program replaces that of the others',
      alter: (query) => altered(query, /"rate_count"."count" \+ "excluded"."count"/, '"excluded"."count"'),
    },
    { name: 'totals-ignored', what: 'a program sends its counts, and does not learn those of the others' },
    { name: 'counted-twice', what: 'what was sent is counted as still to be sent' },
  ],
  begin(world, planted) {
    const windows = new Map<Program, RateWindow>();
    const usages = new Map<string, Usage>();
    const fleet = new Fleet(world, (program) => {
      const rates = new RateLimits(undefined, {
        openCounts: () => new RateCountsStore(new SimulatedDatabase(program)),
        timing: program.timing,
        report: reportTo(world),
      });
      windows.set(program, windowOf(rates, planted));
      rates.onApplicationBootstrap();
    });
    disturb(world, fleet, 30_000, 20 * 60_000);
    call(world, fleet, windows, usages);
  },
};

/** Reports errors other than an unavailable store. */
function reportTo(world: World): (error: unknown) => void {
  return (error) => world.check(false, () => `the exchange failed: ${String(error)}`);
}

function windowOf(rates: RateLimits, planted: string | undefined): RateWindow {
  const rate = { limit: LIMIT, windowSeconds: WINDOW_SECONDS };
  const window = rates.windowOf('default', rate);
  if (planted === 'totals-ignored') Object.assign(window, { learn: () => {} });
  if (planted !== 'counted-twice') return window;
  const learn: RateWindow['learn'] = (totals, sent) => {
    const kept = new Map([...sent].map(([subject, count]) => [subject, { ...count, count: 0 }]));
    RateWindow.prototype.learn.call(window, totals, kept);
  };
  return Object.assign(window, { learn });
}

/** Makes requests for each caller. A caller uses a single program, a few programs or all programs, sometimes at full speed. */
function call(
  world: World,
  fleet: Fleet,
  windows: ReadonlyMap<Program, RateWindow>,
  usages: Map<string, Usage>,
): void {
  const { events, random } = world;
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const machines = world.machines.slice(0, Math.ceil(world.machines.length * random.next() ** 2));
    const meanMs = random.between(100, 1_500);
    const next = (): void =>
      events.after(random.exponential(meanMs), () => {
        next();
        const program = fleet.programOf(machines[random.below(machines.length)] ?? never());
        const window = program && windows.get(program);
        if (program && window && !program.isPaused) request(world, program, window, caller, usages);
      });
    next();
  }
}

function request(
  world: World,
  program: Program,
  window: RateWindow,
  caller: number,
  usages: Map<string, Usage>,
): void {
  const { machine, timing } = program;
  const isAccepted = window.take(`account:${caller}`) >= 0;
  const [number, phaseMs] = [Math.floor(timing.wall() / WINDOW_MS), timing.wall() % WINDOW_MS];
  const key = `${caller} ${number}`;
  const usage: Usage = usages.get(key) ?? { accepted: [], overSince: new Map(), wasDisturbed: false };
  if (!usages.has(key)) begin(usages, key, usage);
  const { now } = world.events;
  usage.wasDisturbed ||= world.isAnyDisturbedSince(now - WINDOW_MS - RECOVERY_MS);
  if (isAccepted) {
    usage.accepted.push({ machine, at: now });
    world.note(`${machine.name} accepts request ${usage.accepted.length} of caller ${caller}`);
    if (phaseMs < WINDOW_MS - EDGE_MS) lookAtAccepted(world, machine, usage, caller);
  } else if (!usage.wasDisturbed) {
    world.check(usage.accepted.length >= LIMIT, () => {
      const count = usage.accepted.length;
      return `${machine.name} refuses caller ${caller}, of whom ${count} requests were accepted in the window`;
    });
  }
}

function lookAtAccepted(world: World, machine: Machine, usage: Usage, caller: number): void {
  const { now } = world.events;
  const isRight = (candidate: Machine) =>
    Math.abs(candidate.clockOffsetMs) <= 1_000 && candidate.clockSetAt < now - 2 * WINDOW_MS;
  if (!isRight(machine)) return;
  const own = usage.accepted.filter((entry) => entry.machine === machine);
  if (!usage.wasDisturbed)
    world.check(
      own.length <= LIMIT,
      () => `${machine.name} alone accepts ${own.length} requests of caller ${caller}`,
    );
  if (!world.isWellSince(machine, now - WINDOW_MS - RECOVERY_MS)) return;
  const settled = usage.accepted.filter(
    (entry) =>
      entry.at < now - EXCHANGE_MS &&
      isRight(entry.machine) &&
      world.isWellSince(entry.machine, entry.at - RECOVERY_MS),
  );
  if (settled.length < LIMIT) return;
  const since = usage.overSince.get(machine) ?? now;
  usage.overSince.set(machine, since);
  world.check(now - since <= EXCHANGE_MS, () => {
    const seconds = ((now - since) / 1_000).toFixed(1);
    return `${machine.name} accepts a request of caller ${caller} ${seconds} s after it accepted the first one over the limit`;
  });
}

/** Starts a usage and keeps only the latest usages. */
function begin(usages: Map<string, Usage>, key: string, usage: Usage): void {
  usages.set(key, usage);
  const [oldest] = usages.keys();
  if (usages.size > 8 * CALLERS && oldest !== undefined) usages.delete(oldest);
}

function never(): never {
  throw new TypeError('there is no machine');
}
