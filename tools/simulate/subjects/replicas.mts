import { openDatabase, StoreUnavailableError } from '@app/persistence';
import type { CompiledQuery, QueryResult } from 'kysely';
import { ReplicaReader } from '../../../libs/replica/src/replica-reader.ts';
import { Fleet } from '../kernel/fleet.mts';
import { disturb } from '../kernel/nemesis.mts';
import type { Program } from '../kernel/program.mts';
import { Replication, type Snapshot, type Standby } from '../kernel/replication.mts';
import type { World } from '../kernel/world.mts';
import type { Subject } from './subject.mts';

/** The check interval, as in the store monitor. */
const CHECK_EVERY_MS = 500;
/** A list that waits for a silent server is given up after 5 s. */
const RECOVERY_MS = 15_000;

export const replicas: Subject = {
  name: 'replicas',
  claims: [
    'a list has every write that was acknowledged before it was requested, by any program',
    'what a list of a program had, the next one has',
    `a list comes from the replica at least once in ${RECOVERY_MS / 1_000} s in which nothing came between`,
  ],
  programHours: 2,
  leastMinutes: 4,
  faults: [
    { name: 'position-of-another-timeline', what: 'positions are compared, and not their timelines' },
    { name: 'position-received', what: 'the standby says what it has received, and not what it has applied' },
    { name: 'position-shared', what: 'a list shares a position that was asked for before it' },
  ],
  begin(world, planted) {
    const replication = new Replication(world);
    const fleet = new Fleet(world, (program) => startProgram(world, program, replication, planted));
    disturb(world, fleet, 15_000, 5 * 60_000);
  },
};

/** The query that the reader passes on. It is never executed. */
const list: CompiledQuery = openDatabase('sqlite:none').selectFrom('rateCount').selectAll().compile();

function startProgram(
  world: World,
  program: Program,
  replication: Replication,
  planted: string | undefined,
): void {
  const standby = replication.standbys[program.machine.region] ?? never();
  const ofStandby = new SimulatedPool(
    program,
    standby,
    () => standby.request(program, () => replayed(standby, replication, planted)),
    () => standby.request(program, () => ({ log: standby.log, length: standby.applied })),
  );
  const askPrimary = () => program.request<object>((answer) => answer(replication.flushed));
  const reader = new ReplicaReader(
    ofStandby,
    new SimulatedPool(program, standby, askPrimary, never),
    program.timing,
  );
  if (planted === 'position-shared') sharePosition(reader);
  program.timing.every(CHECK_EVERY_MS, () => void reader.check());
  const mean = world.random.between(100, 2_000);
  repeat(program, world, mean, () => replication.write(program));
  const seen = { snapshot: replication.snapshot, fromReplicaAt: world.events.now };
  repeat(program, world, mean, () => readList(world, program, { reader, standby, replication, seen }));
}

interface Reading {
  readonly reader: ReplicaReader;
  readonly standby: Standby;
  readonly replication: Replication;
  readonly seen: { snapshot: Snapshot; fromReplicaAt: number };
}

async function readList(
  world: World,
  program: Program,
  { reader, standby, replication, seen }: Reading,
): Promise<void> {
  const { machine } = program;
  const { events } = world;
  const [acknowledged, before] = [replication.snapshot, seen.snapshot];
  const result = await reader.read<Snapshot>(list);
  const fromReplica = result?.rows[0];
  const snapshot = fromReplica ?? (await program.request<Snapshot>((answer) => answer(replication.snapshot)));
  const from = fromReplica ? 'the replica' : 'the primary';
  world.check(
    has(snapshot, acknowledged),
    () => `${machine.name} reads a list from ${from} that lacks writes`,
  );
  world.check(
    has(snapshot, before),
    () => `${machine.name} reads a list from ${from} that is older than its last one`,
  );
  // What was not acknowledged may be lost in a failover.
  seen.snapshot = { ...snapshot, length: Math.min(snapshot.length, replication.snapshot.length) };
  const since = events.now - RECOVERY_MS;
  const isWell = world.isWellSince(machine, since) && standby.trouble.isAbsentSince(since);
  if (fromReplica || !isWell) seen.fromReplicaAt = events.now;
  world.check(
    events.now - seen.fromReplicaAt < RECOVERY_MS,
    () => `${machine.name} has read no list from the replica for ${RECOVERY_MS / 1_000} s`,
  );
}

/** Whether a snapshot contains a second snapshot. The last entry decides, because a log keeps its entries in order. */
function has({ log, length }: Snapshot, earlier: Snapshot): boolean {
  const { length: count } = earlier;
  return count === 0 || (length >= count && log[count - 1] === earlier.log[count - 1]);
}

function replayed(standby: Standby, replication: Replication, planted: string | undefined): object {
  const bytes = planted === 'position-received' ? standby.received : standby.applied;
  const timeline =
    planted === 'position-of-another-timeline' ? replication.flushed.timeline : standby.timeline;
  return { timeline, bytes: standby.state === 'promoted' ? null : bytes };
}

type Pool = ConstructorParameters<typeof ReplicaReader>[0];
type Connection = Awaited<ReturnType<Pool['connect']>>;

/** A connection to a single server. */
class SimulatedConnection implements Connection {
  constructor(
    private readonly askPosition: () => Promise<object>,
    private readonly read: () => Promise<Snapshot>,
  ) {}

  async execute(): ReturnType<Connection['execute']> {
    const rows = [{ system: 'one', ...(await this.askPosition()) }];
    return { rows, command: 'SELECT', rowCount: 1 };
  }

  query<Row>(): Promise<QueryResult<Row>>;
  async query(): Promise<QueryResult<unknown>> {
    return { rows: [await this.read()] };
  }

  discard(): void {}

  release(): void {}
}

/** The pool for a single server, with an open connection. */
class SimulatedPool implements Pool {
  private readonly connections = new WeakMap<object, SimulatedConnection>();

  constructor(
    private readonly program: Program,
    private readonly standby: Standby,
    private readonly askPosition: () => Promise<object>,
    private readonly read: () => Promise<Snapshot>,
  ) {}

  async connect(): Promise<SimulatedConnection> {
    const session = this.standby.sessionOf(this.program);
    const connection = this.connections.get(session) ?? new SimulatedConnection(this.askPosition, this.read);
    this.connections.set(session, connection);
    return connection;
  }

  async check(): ReturnType<Pool['check']> {
    const response = this.askPosition().then(() => ({ state: 'ok' as const }));
    const silence = this.program.timing.pause(1_000);
    const health = await Promise.race([response, silence]);
    return health ?? { state: 'unavailable', error: new StoreUnavailableError('no response') };
  }

  async end(): Promise<void> {}
}

function sharePosition(reader: ReplicaReader): void {
  const ask: unknown = Reflect.get(reader, 'askPrimary');
  if (typeof ask !== 'function') return never();
  let running: Promise<unknown> | undefined;
  const target = () => (running ??= Promise.resolve(ask.call(reader)).finally(() => (running = undefined)));
  Object.assign(reader, { target });
}

/** Again and again, whether or not the store is available. */
function repeat(program: Program, world: World, meanMs: number, task: () => Promise<void>): void {
  const next = (): void => program.after(world.random.exponential(meanMs), () => void run());
  const run = async (): Promise<void> => {
    next();
    await task().catch((error: unknown) =>
      world.check(error instanceof StoreUnavailableError, () => `a request failed: ${String(error)}`),
    );
  };
  next();
}

function never(): never {
  throw new TypeError('the primary is asked for positions only');
}
