import type { CompiledQuery } from 'kysely';
import { isValidAt } from '../../../libs/auth/src/tokens/claims.ts';
import { RevocationFeed } from '../../../libs/accounts/src/revocation/revocation-feed.ts';
import { Revocations } from '../../../libs/accounts/src/revocation/revocations.ts';
import { RevocationCache } from '../../../libs/accounts/src/revocation/revocation-cache.ts';
import { Fleet } from '../kernel/fleet.mts';
import { disturb } from '../kernel/nemesis.mts';
import type { Program } from '../kernel/program.mts';
import { SimulatedDatabase } from '../kernel/simulated-database.mts';
import type { World } from '../kernel/world.mts';
import type { Subject } from './subject.mts';

const TTL_SECONDS = 60;
/** The time in milliseconds, besides four round trips, for a poll and two repeated messages to spread a revocation. */
const BOUND_MS = 900;
/** A request that was lost is given up 5 s later; the next poll reads all of it again. */
const RECOVERY_MS = 7_000;
/** The times at which revocations are checked, from the bound until the last token has expired by the slowest clock. */
const LOOKS_MS = [905, 1_240, 1_620, 3_000, 20_000, 59_000, 61_000, 90_000, 125_000] as const;
const KEEP_ROWS_MS = (TTL_SECONDS + 3_600) * 1_000;

/** A revoked session with its last token and the time when its user was told. */
interface Revoked {
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
  readonly at: number;
}

/** The product parts in a program. */
interface Parts {
  readonly cache: RevocationCache;
  readonly revocations: Revocations;
  isReady: boolean;
}

export const revocations: Subject = {
  name: 'revocations',
  claims: [
    `a token is refused ${BOUND_MS} ms and four round trips after its session was revoked, by every program that nothing came between`,
    `${TTL_SECONDS} s after it, it is refused by every program, or the program is not ready`,
  ],
  programHours: 4,
  leastMinutes: 4,
  faults: [
    {
      name: 'early-settled',
      what: 'an entry says that all transactions before it have ended',
      alter: settledEarly,
    },
    { name: 'short-memory', what: 'a revocation is forgotten when the token has expired by the right clock' },
    { name: 'forgetful-start', what: 'a program that starts reads what is revoked from then on' },
    { name: 'never-stale', what: 'a program that reads nothing stays ready' },
  ],
  begin(world, planted) {
    const parts = new Map<Program, Parts>();
    const fleet = new Fleet(world, (program) => void startProgram(world, program, parts, planted));
    disturb(world, fleet, 10_000, 5 * 60_000);
    signOut(world, fleet, parts);
  },
};

async function startProgram(
  world: World,
  program: Program,
  all: Map<Program, Parts>,
  planted: string | undefined,
): Promise<void> {
  const { timing } = program;
  const db = new SimulatedDatabase(program);
  const cache = cacheOf(program, planted);
  const parts = { cache, revocations: new SimulatedRevocations(db, cache, program), isReady: false };
  all.set(program, parts);
  const skippedMs = planted === 'forgetful-start' ? cache.keepMs + 60_000 : 0;
  const feed = new RevocationFeed(db, cache, {
    timing,
    clock: { wall: () => program.request((answer) => answer(world.serverWall() + skippedMs)) },
    listen: (_db, _channel, wake) => {
      world.listeners.set(program, wake);
      return async () => void world.listeners.delete(program);
    },
  });
  try {
    await feed.start();
    parts.isReady = true;
    const old = () => new Date(timing.wall() - KEEP_ROWS_MS);
    timing.every(60_000, () => void parts.revocations.deleteOlder(old(), 500).catch(() => undefined));
  } catch {
    // It exits, and is started again.
    program.after(1_000, () => void startProgram(world, program, all, planted));
  }
}

function cacheOf({ timing }: Program, planted: string | undefined): RevocationCache {
  const cache = new RevocationCache(async () => undefined, {
    ttlSeconds: TTL_SECONDS,
    now: timing.monotonic,
  });
  if (planted === 'short-memory') Object.assign(cache, { keepMs: TTL_SECONDS * 1000 });
  if (planted === 'never-stale') Object.assign(cache, { assertCurrent: () => {} });
  return cache;
}

/** Inserts `number` as `settled_below`. */
function settledEarly(query: CompiledQuery): CompiledQuery {
  if (!query.sql.startsWith('insert into "revocation"')) return query;
  const [program, number, , ...others] = query.parameters;
  return { ...query, parameters: [program, number, number, ...others] };
}

/** Notifies by the simulated server. */
class SimulatedRevocations extends Revocations {
  private readonly owner: Program;

  constructor(db: SimulatedDatabase, cache: RevocationCache, owner: Program) {
    super(db, cache, {
      now: owner.timing.monotonic,
      program: `${owner.machine.name} ${owner.world.random.below(1e9)}`,
    });
    this.owner = owner;
  }

  protected override async notify(): Promise<void> {
    const { owner } = this;
    await owner.request<void>((answer) => answer(owner.world.notify())).catch(() => undefined);
  }
}

/** Users sign out on any program, now and then many at once. */
function signOut(world: World, fleet: Fleet, all: ReadonlyMap<Program, Parts>): void {
  const { events, random } = world;
  let sessions = 0;
  const signOutOnce = (): void => {
    const [first, ...others] = fleet.running.filter((program) => all.get(program)?.isReady);
    if (first === undefined) return;
    const program = random.pick([first, ...others]);
    sessions += 1;
    void revoke(world, fleet, all, program, `session ${sessions}`);
  };
  const next = (): void =>
    events.after(random.exponential(2_000), () => {
      for (let count = random.chance(0.05) ? random.below(10) + 2 : 1; count > 0; count -= 1) signOutOnce();
      next();
    });
  next();
}

/** The last token of the session is issued as it is revoked. */
async function revoke(
  world: World,
  fleet: Fleet,
  all: ReadonlyMap<Program, Parts>,
  program: Program,
  sid: string,
): Promise<void> {
  const iat = Math.floor(program.timing.wall() / 1000);
  try {
    await all.get(program)?.revocations.inTransaction(async (_db, add) => add('session', sid));
  } catch {
    // Its user was not told that it is revoked.
    return;
  }
  const revoked = { sid, iat, exp: iat + TTL_SECONDS, at: world.events.now };
  world.note(`${sid} was revoked on ${program.machine.name}`);
  for (const ms of LOOKS_MS) {
    world.events.after(ms, () => {
      for (const peer of fleet.running) look(world, peer, all.get(peer), revoked);
    });
  }
}

function look(world: World, program: Program, parts: Parts | undefined, revoked: Revoked): void {
  if (parts?.isReady !== true) return;
  const elapsed = world.events.now - revoked.at;
  const isWell = world.isWellSince(program.machine, revoked.at - RECOVERY_MS);
  const knows = isWell && elapsed >= BOUND_MS + 4 * world.roundTripOf(program.machine);
  if (!knows && elapsed <= TTL_SECONDS * 1000 * 1.001) return;
  world.check(!isAccepted(program, parts.cache, revoked), () => {
    const after = `${(elapsed / 1000).toFixed(1)} s after it was revoked`;
    return `${program.machine.name} accepts a token of ${revoked.sid} ${after}${knows ? ', with nothing between them' : ''}`;
  });
}

function isAccepted({ timing }: Program, cache: RevocationCache, { sid, iat, exp }: Revoked): boolean {
  const claims = { sub: 1, username: 'ada', iat, exp };
  if (!isValidAt(claims, { now: timing.wall(), ttlSeconds: TTL_SECONDS })) return false;
  try {
    cache.assertCurrent();
  } catch {
    return false;
  }
  return !cache.isRevoked(sid);
}
