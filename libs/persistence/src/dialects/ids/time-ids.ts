import { type Dialect, Kysely, PostgresAdapter, sql } from 'kysely';
import { Repeat } from '../../timers/repeat';
import { StoreUnavailableError, UniqueViolationError } from '../../errors';
import { retryConflicts } from '../postgres/retry-conflicts';
import { SnakeCaseNames } from '../snake-case-names';

/** The id time's start. Ids stay below 2⁵³ until 2095. */
const EPOCH_MS = Date.UTC(2026);
const TICKS_PER_MS = 4;
/** The most programs that insert at the same time, counting each worker. */
const NODES = 1024;
/**
 * The ticks that a program reserves from now on. A program continues for that long without the store. After a kill, its node is
 * free again after the same time.
 */
const RESERVED_TICKS = 60_000 * TICKS_PER_MS;
const RENEW_EVERY_MS = 15_000;
const RETRY_MS = 5_000;

/** The table with the reserved ids, in which each node has a row. */
export const idRangeTable = 'id_range';

/** The ticks of a node before `endsBefore` are reserved or used. */
interface IdRange {
  readonly node: number;
  readonly endsBefore: number;
  /** The tick at which the row was written. */
  readonly reachedAt: number;
}

/**
 * Generates ids from time and node: `tick × 1024 + node`, where a tick is a quarter of a millisecond. Statements never wait for
 * an id.
 *
 * A program reserves the ticks of its node ahead, in a row that it changes only if the row is unchanged. Ids are therefore
 * unique regardless of the clocks, which only affect how closely the id order follows time. After a clock was set back, ids
 * continue from the tick that the programs had reached at their last reservation. More than four ids within a millisecond use
 * the ticks of the following milliseconds.
 */
export class TimeIds {
  private readonly db: Kysely<{ idRange: IdRange }>;
  private readonly renewals = new Repeat(() => this.reserve().catch(() => undefined), RENEW_EVERY_MS);
  private reserving: Promise<void> | undefined;
  private failure: unknown;
  private node: number | undefined;
  /** The last tick that was used, and the first that is not reserved. */
  private last = 0;
  private end = 0;
  /** The store's time, in ticks, when the monotonic clock was `readAt`. */
  private time = { ticks: 0, readAt: 0 };

  /** @param dialect runs each statement in its own transaction, so that a reservation survives a request's rollback */
  constructor(dialect: Dialect) {
    this.db = new Kysely({ dialect, plugins: [new SnakeCaseNames()] });
  }

  /**
   * Reserves ids before statements run; `undefined` while ids are reserved. Never throws, so that reads continue on a standby.
   */
  ready(): Promise<void> | undefined {
    return this.node === undefined || this.now() >= this.end ? this.tryToReserve() : undefined;
  }

  /** @throws {StoreUnavailableError} if all reserved ids are used, which happens if the store is unavailable for a minute */
  next(): number {
    const now = this.now();
    const tick = now < this.end ? Math.max(now, this.last + 1) : this.last + 1;
    if (this.node === undefined || tick >= this.end)
      throw new StoreUnavailableError('no ids are reserved', { cause: this.failure });
    this.last = tick;
    return tick * NODES + this.node;
  }

  /** Returns the unused ticks, so that a different program can take the node at once. */
  async stop(): Promise<void> {
    await this.renewals.stop();
    await this.reserving?.catch(() => undefined);
    const { node, last, end } = this;
    this.node = undefined;
    if (node === undefined) return;
    await this.change(end, { node, endsBefore: last + 1, reachedAt: last }).catch(() => undefined);
  }

  /** Reserves ids for a minute from now. */
  reserve(): Promise<void> {
    this.reserving ??= this.extend().finally(() => (this.reserving = undefined));
    return this.reserving;
  }

  private async tryToReserve(): Promise<void> {
    try {
      await this.reserve();
    } catch (error) {
      this.failure = error;
    }
  }

  /** Extends the reservation, or takes a new node if a different program has taken this node. */
  private async extend(): Promise<void> {
    const { node } = this;
    await this.readTime();
    const range = rangeFrom(Math.max(this.now(), this.last));
    if (node !== undefined && (await this.change(this.end, { node, ...range }))) this.end = range.endsBefore;
    else while (!(await this.takeNode()));
    if (node === undefined) this.renewals.start();
  }

  /** @returns `false` if a different program took the node first */
  private async takeNode(): Promise<boolean> {
    const ranges = await this.db.selectFrom('idRange').selectAll().orderBy('endsBefore').execute();
    const from = Math.max(this.now(), this.last + 1);
    const [first] = ranges;
    const free = first !== undefined && first.endsBefore <= from ? first : undefined;
    const node = free?.node ?? ranges.length;
    if (node >= NODES) throw new StoreUnavailableError(`${NODES} programs have reserved ids`);
    const range = { node, ...rangeFrom(from) };
    if (!(await (free ? this.change(free.endsBefore, range) : this.add(range)))) return false;
    this.node = node;
    this.last = Math.max(this.last, from - 1);
    this.end = range.endsBefore;
    return true;
  }

  /** @returns `false` if a different program has changed the row */
  private async change(from: number, { node, ...range }: IdRange): Promise<boolean> {
    const change = this.db
      .updateTable('idRange')
      .set(range)
      .where('node', '=', node)
      .where('endsBefore', '=', from);
    const { numUpdatedRows } = await retryConflicts(RETRY_MS, () => change.executeTakeFirst());
    return numUpdatedRows > 0n;
  }

  private async add(range: IdRange): Promise<boolean> {
    const insert = this.db.insertInto('idRange').values(range);
    try {
      await retryConflicts(RETRY_MS, () => insert.execute());
      return true;
    } catch (error) {
      if (error instanceof UniqueViolationError) return false;
      throw error;
    }
  }

  private now(): number {
    return Math.floor(this.time.ticks + (performance.now() - this.time.readAt) * TICKS_PER_MS);
  }

  private async readTime(): Promise<void> {
    const reached = this.db.selectFrom('idRange').select(({ fn }) => fn.max('reachedAt').as('reachedAt'));
    const { reachedAt } = await reached.executeTakeFirstOrThrow();
    const ticks = ((await this.readClock()) - EPOCH_MS) * TICKS_PER_MS;
    this.time = { ticks: Math.max(ticks, reachedAt ?? 0), readAt: performance.now() };
  }

  /** Reads the PostgreSQL server's clock, or the clock of this machine for SQLite. */
  private async readClock(): Promise<number> {
    if (!(this.db.getExecutor().adapter instanceof PostgresAdapter)) return Date.now();
    const clock = this.db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now'));
    return (await clock.executeTakeFirstOrThrow()).now.getTime();
  }
}

function rangeFrom(tick: number): Omit<IdRange, 'node'> {
  return { endsBefore: tick + RESERVED_TICKS, reachedAt: tick };
}
