import type { CompiledQuery, QueryResult } from 'kysely';
import { Engine } from './engine.mts';
import { Events } from './events.mts';
import { type Figures, quantileOf } from './figures.mts';
import { Random } from './random.mts';
import { Trouble } from './trouble.mts';

/** Milliseconds since 1970 at which every simulation begins. */
const BEGIN = Date.UTC(2026, 0, 1);
const TRACE_LENGTH = 60;
/** The latency for a message between two regions, in milliseconds. The store is in the first region. */
const LATENCIES = [0.25, 35, 75] as const;
const JITTER = 1.2;
/** The additional latency for a message that is sent again. */
const SPIKES = { chance: 0.001, meanMs: 80, mostMs: 200 };

/** The share of notifications lost on connections that were closed on the way, before the program notices. */
const LOST_NOTIFICATIONS = 0.05;

/** The settings for a simulation. */
export interface Setup {
  readonly seed: number;
  readonly programs: number;
  readonly figures: Figures;
  /** Alters the server's statements, as a planted fault does. */
  readonly alter?: (query: CompiledQuery) => CompiledQuery;
}

/** A claim that failed. */
export interface Violation {
  readonly seed: number;
  /** The time since the simulation began, in milliseconds. */
  readonly atMs: number;
  readonly what: string;
  /** The last events before the violation. */
  readonly trace: readonly string[];
}

/** The machine of a program. Its place and clock outlive the program. */
export interface Machine {
  readonly name: string;
  readonly region: number;
  /** The share by which the machine's clocks run faster than time. */
  readonly drift: number;
  /** The difference between the machine's clock and the right time. */
  clockOffsetMs: number;
  /** The time when the clock was set last. */
  clockSetAt: number;
  isCut: boolean;
  readonly trouble: Trouble;
}

/** The facts that the world knows about a running program. */
export interface Process {
  readonly machine: Machine;
  readonly isAlive: boolean;
  after(ms: number, run: () => void): void;
}

/** The primary, with its committed rows and the time of its commits. */
export interface Server {
  readonly engine: Engine;
  clockOffsetMs: number;
  isUp: boolean;
  /** Counts restarts, which end all transactions. */
  epoch: number;
  /** Counts failovers. */
  timeline: number;
  /** The additional time that a commit takes, for example while a synchronous standby does not respond. */
  stallMs: number;
  readonly trouble: Trouble;
}

/** The time, machines, network and server in a simulation. */
export class World {
  readonly events = new Events();
  readonly random: Random;
  readonly machines: readonly Machine[];
  readonly server: Server;
  readonly alter: (query: CompiledQuery) => CompiledQuery;
  readonly cutRegions = new Set<number>();
  /** Receives each write of a program when it is committed. */
  onWrite: (writer: Process, query: CompiledQuery, result: QueryResult<unknown>) => void = () => {};
  /** The functions that programs run at a server notification. */
  readonly listeners = new Map<Process, () => void>();
  /** The machine that matters most now: half of the faults meet it. */
  focus: Machine | undefined;
  violation: Violation | undefined;
  /** The number of comparisons with a claim. */
  checks = 0;
  faults = 0;
  private readonly lines: string[] = [];
  private readonly figures: Figures;
  private readonly seed: number;

  constructor({ seed, programs, figures, alter = (query) => query }: Setup, schema: readonly string[]) {
    this.seed = seed;
    this.random = new Random(seed);
    this.figures = figures;
    this.alter = alter;
    this.machines = Array.from({ length: programs }, (_, at) => this.newMachine(at));
    const server = {
      clockOffsetMs: 0,
      isUp: true,
      epoch: 0,
      timeline: 1,
      stallMs: 0,
      trouble: new Trouble(),
    };
    this.server = { ...server, engine: new Engine(schema, () => this.serverWall()) };
  }

  /** The server's clock. */
  serverWall(): number {
    return BEGIN + this.events.now + this.server.clockOffsetMs;
  }

  /** A machine's clock. */
  wallOf({ drift, clockOffsetMs }: Machine): number {
    return BEGIN + this.events.now * (1 + drift) + clockOffsetMs;
  }

  /** Returns the time that a message between a machine and the server takes. */
  latencyOf({ region }: Machine): number {
    const { random } = this;
    const usual = (LATENCIES[region] ?? 0) * random.between(1, JITTER);
    return random.chance(SPIKES.chance)
      ? usual + Math.min(random.exponential(SPIKES.meanMs), SPIKES.mostMs)
      : usual;
  }

  /** The longest round trip between a machine and the server in which no message is sent again. */
  roundTripOf({ region }: Machine): number {
    return 2 * JITTER * (LATENCIES[region] ?? 0);
  }

  /** Returns the time that the server takes to commit. */
  commitMs(): number {
    return quantileOf(this.figures.commitMs, this.random.next()) + this.server.stallMs;
  }

  /** Returns the time that the server takes to notify its listeners. */
  notificationMs(): number {
    return quantileOf(this.figures.notificationMs, this.random.next());
  }

  /** Notifies the programs that listen. A lost notification is not sent again. */
  notify(): void {
    for (const [program, wake] of this.listeners) {
      const ms = this.notificationMs() + this.latencyOf(program.machine);
      if (!this.isCut(program.machine) && !this.random.chance(LOST_NOTIFICATIONS)) program.after(ms, wake);
    }
  }

  isCut({ isCut, region }: Machine): boolean {
    return isCut || this.cutRegions.has(region);
  }

  /** Whether nothing has come between a machine and the server since a time. */
  isWellSince(machine: Machine, time: number): boolean {
    return machine.trouble.isAbsentSince(time) && this.server.trouble.isAbsentSince(time);
  }

  /** Whether something has come between the server and any machine since a time. */
  isAnyDisturbedSince(time: number): boolean {
    return !this.machines.every((machine) => this.isWellSince(machine, time) && machine.clockSetAt < time);
  }

  /** Remembers an event for a violation's trace. */
  note(what: string): void {
    this.lines.push(`${timeOf(this.events.now)} ${what}`);
    if (this.lines.length > 2 * TRACE_LENGTH) this.lines.splice(0, TRACE_LENGTH);
  }

  /** Counts a comparison, and ends the simulation if it does not hold. */
  check(holds: boolean, what: () => string): void {
    this.checks += 1;
    if (holds || this.violation !== undefined) return;
    const { seed } = this;
    this.violation = { seed, atMs: this.events.now, what: what(), trace: this.lines.slice(-TRACE_LENGTH) };
    this.events.stop();
  }

  private newMachine(at: number): Machine {
    const { random } = this;
    return {
      name: `program ${at}`,
      region: at % LATENCIES.length,
      drift: random.between(-1e-4, 1e-4),
      clockOffsetMs: random.between(-1_000, 1_000),
      clockSetAt: -Infinity,
      isCut: false,
      trouble: new Trouble(),
    };
  }
}

/** Formats the time since the beginning as hours, minutes, seconds and milliseconds. */
export function timeOf(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0');
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
}
