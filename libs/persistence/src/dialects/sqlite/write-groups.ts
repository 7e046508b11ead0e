import { publishTime, storeChannels } from '../../channels';
import { StoreUnavailableError } from '../../errors';
import { FifoMutex } from '../fifo-mutex';
import { type SqliteResult, type SqliteValue } from './node-sqlite';
import { retryWhileBusy } from './retry-while-busy';
import { SqliteTransaction } from './sqlite-transaction';
import { WriteGroup, type WrittenFile } from './write-group';

/** The WAL sizes that trigger a checkpoint, in pages of 4 KiB. */
export interface CheckpointLimits {
  /** The number of pages still to checkpoint at which a checkpoint begins. */
  readonly due: number;
  /** The total number of pages at which writers wait for a checkpoint, after which the WAL is written from its start again. */
  readonly full: number;
}

/** The default limits: SQLite's own limit, and 16 MiB. */
export const checkpointLimits: CheckpointLimits = { due: 1_000, full: 4_000 };

/**
 * Commits writes in groups. All writes within an event loop iteration are committed together at its end, with a single fsync,
 * and acknowledged after it. The fsync runs in a separate thread. Writes that arrive meanwhile form the next group, which is
 * committed after it.
 *
 * Callers write in sequence, so that each caller sees the writes before it. A failure rolls back only the caller's writes.
 * Failures too are reported after the commit, since a write in the same group may have caused them.
 */
export class WriteGroups {
  private readonly store: WrittenFile;
  private readonly limits: CheckpointLimits;
  private readonly queue = new FifoMutex();
  private group: WriteGroup | undefined;
  /** The iteration has ended, and a caller is still writing: the group accepts no further caller. */
  private isDue = false;
  /** The promise that resolves when the latest commits are durable. Until then there is no further commit. */
  private syncing: Promise<unknown> | undefined;
  private isCheckpointing = false;
  /** The promise that delays new groups until it resolves. */
  private pause: Promise<void> | undefined;

  constructor(store: WrittenFile, limits: CheckpointLimits) {
    this.store = store;
    this.limits = limits;
  }

  /** Runs a statement. It is atomic by itself, so it needs no savepoint. */
  async run(sql: string, values: readonly SqliteValue[], deadline: number): Promise<SqliteResult> {
    const group = await this.join(deadline);
    try {
      return group.run(sql, values);
    } finally {
      this.leave(group);
      await group.committed;
    }
  }

  /** Begins a transaction that holds the write lock. */
  async begin(deadline: number): Promise<SqliteTransaction> {
    const group = await this.join(deadline);
    try {
      return new SqliteTransaction(group, () => this.leave(group));
    } catch (error) {
      this.leave(group);
      throw error;
    }
  }

  /** Runs `work` while no transaction is open and all other callers wait. */
  async alone<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    await this.acquire(deadline);
    try {
      await this.syncing;
      if (this.group) this.commit(this.group);
      await this.syncing;
      const result = await work();
      await this.store.sync();
      return result;
    } finally {
      this.queue.release();
    }
  }

  private async join(deadline: number): Promise<WriteGroup> {
    await this.acquire(deadline);
    try {
      return (this.group ??= await this.open(deadline));
    } catch (error) {
      this.store.noteWrite(error);
      this.queue.release();
      throw error;
    }
  }

  private async open(deadline: number): Promise<WriteGroup> {
    await this.pause;
    const group = await retryWhileBusy(this.store, deadline, () => new WriteGroup(this.store));
    setImmediate(() => this.endTurn(group));
    return group;
  }

  private endTurn(group: WriteGroup): void {
    if (group !== this.group) return;
    if (this.syncing) void this.syncing.then(() => this.endTurn(group));
    else if (this.queue.isLocked) this.isDue = true;
    else this.commit(group);
  }

  private leave(group: WriteGroup): void {
    if (this.isDue || !group.isOpen) this.commit(group);
    this.queue.release();
  }

  private commit(group: WriteGroup): void {
    this.group = undefined;
    this.isDue = false;
    const syncing = Promise.all([this.syncing, group.commit()]).finally(() => {
      if (this.syncing === syncing) this.syncing = undefined;
      void this.checkpoint();
    });
    this.syncing = syncing;
  }

  /** Checkpoints if due. A failed checkpoint is repeated after the next commit; commits report disk errors. */
  private async checkpoint(): Promise<void> {
    if (this.isCheckpointing) return;
    this.isCheckpointing = true;
    await this.checkpointIfDue().catch(() => undefined);
    this.isCheckpointing = false;
  }

  /**
   * Checkpoints a long WAL twice. The first run is parallel to the writers. The second run is between two groups, for the few
   * pages added meanwhile, because a WAL restarts only once it is checkpointed completely.
   */
  private async checkpointIfDue(): Promise<void> {
    const { pages, open } = this.store.wal;
    if (open < this.limits.due || this.store.isAwaited) return;
    await this.store.checkpoint();
    if (pages < this.limits.full) return;
    const pause = Promise.withResolvers<void>();
    this.pause = pause.promise;
    try {
      while (this.group ?? this.syncing) await (this.syncing ?? this.group?.committed);
      await this.store.checkpoint();
    } finally {
      this.pause = undefined;
      pause.resolve();
    }
  }

  private async acquire(deadline: number): Promise<void> {
    const startedAt = performance.now();
    const isAcquired = await this.queue.acquire(deadline - startedAt);
    publishTime(storeChannels.wait, startedAt);
    if (!isAcquired) throw new StoreUnavailableError('timed out in the write queue');
  }
}
