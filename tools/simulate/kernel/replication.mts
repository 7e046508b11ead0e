import { StoreUnavailableError } from '@app/persistence';
import type { Program } from './program.mts';
import { Trouble } from './trouble.mts';
import type { World } from './world.mts';

/** A log up to a place, as a query sees it. */
export interface Snapshot {
  readonly log: readonly object[];
  readonly length: number;
}

const NEAR_MS = 0.5;
/** The time that a standby takes to apply the log: usually, and while a long query or a burst of writes delays it. */
const REPLAY = { usualMs: 4, chance: 0.01, delayedMs: 300 };
/** The time until a standby follows the new primary. The restart point that reports it comes later. */
const FOLLOWED_MS = 20_000;
const RESTART_POINT_MS = 60_000;

/** A standby that follows the primary asynchronously. */
export class Standby {
  log: readonly object[];
  received = 0;
  applied = 0;
  /** The timeline of the last restart point. */
  timeline = 1;
  state: 'streams' | 'stopped' | 'silent' | 'promoted' = 'streams';
  /** The sessions by program, which are new after a rebuild. */
  sessions = new Map<Program, object>();
  readonly trouble = new Trouble();

  constructor(
    readonly region: number,
    log: readonly object[],
  ) {
    this.log = log;
  }

  sessionOf(program: Program): object {
    const session = this.sessions.get(program) ?? {};
    this.sessions.set(program, session);
    return session;
  }

  /** A request of a program nearby. A standby that is silent does not respond. */
  request<T>(program: Program, serve: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      program.after(NEAR_MS, () => {
        if (this.state === 'silent' || program.machine.isCut) return;
        if (this.state === 'stopped') return reject(new StoreUnavailableError('connection refused'));
        const result = serve();
        program.after(NEAR_MS, () => resolve(result));
      });
    });
  }
}

/** The primary's log, with a standby in each region. */
export class Replication {
  readonly standbys: readonly Standby[];
  private log: object[] = [];
  /** The log length that a synchronous standby has. This standby takes over if the primary is lost. */
  private acknowledged = 0;
  private timeline = 1;

  constructor(private readonly world: World) {
    this.standbys = [0, 1, 2].map((region) => new Standby(region, this.log));
    for (const standby of this.standbys) this.disturb(standby);
  }

  /** The log that is acknowledged now. */
  get snapshot(): Snapshot {
    this.followFailover();
    return { log: this.log, length: this.acknowledged };
  }

  /** The timeline and the log length on the primary's disk. */
  get flushed(): { readonly timeline: number; readonly bytes: number } {
    this.followFailover();
    return { timeline: this.timeline, bytes: this.log.length };
  }

  /** Writes an entry. @throws StoreUnavailableError if it is unknown whether the entry is written */
  write(program: Program): Promise<void> {
    const { events, server } = this.world;
    return program.request((answer, fail) => {
      this.followFailover();
      const { epoch } = server;
      const { log } = this;
      const length = log.push({});
      for (const standby of this.standbys) this.stream(standby, log, length);
      events.after(this.world.commitMs(), () => {
        if (server.epoch !== epoch) return fail(new StoreUnavailableError('the server was restarted'));
        this.acknowledged = Math.max(this.acknowledged, length);
        answer();
      });
    });
  }

  private stream(standby: Standby, log: readonly object[], length: number): void {
    const { events, random, cutRegions } = this.world;
    const isDelayed = random.chance(REPLAY.chance);
    const replayMs = random.exponential(isDelayed ? REPLAY.delayedMs : REPLAY.usualMs);
    events.after(0.25 + 35 * standby.region, () => {
      const isSent = standby.state === 'streams' && standby.log === log && !cutRegions.has(standby.region);
      if (!isSent) return;
      standby.received = log.length;
      events.after(replayMs, () => {
        if (standby.log === log) standby.applied = Math.max(standby.applied, length);
      });
    });
  }

  /** Switches to the new primary. It has every acknowledged entry, and perhaps some unacknowledged entries. */
  private followFailover(): void {
    const { server, random, events } = this.world;
    if (server.timeline === this.timeline) return;
    this.timeline = server.timeline;
    this.log = this.log.slice(0, this.acknowledged + random.below(this.log.length - this.acknowledged + 1));
    for (const standby of this.standbys) {
      standby.trouble.begin();
      events.after(random.exponential(FOLLOWED_MS), () => this.rebuild(standby));
      events.after(FOLLOWED_MS + random.exponential(RESTART_POINT_MS), () => {
        this.rebuild(standby);
        standby.timeline = this.timeline;
        standby.trouble.end(events.now);
      });
    }
  }

  /** Gives the standby the primary's log, which it then follows. */
  private rebuild(standby: Standby): void {
    const { log } = this;
    Object.assign(standby, { log, received: log.length, applied: log.length, sessions: new Map() });
  }

  private disturb(standby: Standby): void {
    const { world } = this;
    const { events, random } = world;
    const next = (): void =>
      events.after(random.exponential(120_000), () => {
        if (standby.state !== 'streams') return next();
        standby.state = random.pick(['stopped', 'silent', 'promoted', 'silent'] as const);
        standby.trouble.begin();
        world.note(`the standby of region ${standby.region} is ${standby.state}`);
        events.after(random.exponential(10_000), () => {
          if (standby.log === this.log) this.rebuild(standby);
          standby.state = 'streams';
          standby.trouble.end(events.now);
          next();
        });
      });
    next();
  }
}
