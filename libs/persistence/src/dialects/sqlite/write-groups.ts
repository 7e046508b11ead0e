import { publishTime, storeChannels } from '../../channels';
import { StoreUnavailableError } from '../../errors';
import { FifoMutex } from '../fifo-mutex';
import { type SqliteResult, type SqliteValue } from './node-sqlite';
import { retryWhileBusy } from './retry-while-busy';
import { SqliteTransaction } from './sqlite-transaction';
import { WriteGroup, type WrittenFile } from './write-group';

/** Sizes of the WAL, in pages of 4 KiB. */
export interface CheckpointLimits {
  /** With so many that were not checkpointed, a checkpoint begins. */
  readonly due: number;
  /** With so many in all, writers wait for a checkpoint, after which it is written from its start again. */
  readonly full: number;
}

/** SQLite's own limit, and 16 MiB. */
export const checkpointLimits: CheckpointLimits = { due: 1_000, full: 4_000 };

/**
 * Group commit: the writes of one iteration of the event loop are committed together at its end, with one fsync, and
 * acknowledged after it. The fsync runs in another thread; writes that arrive during it form the next group, which is
 * committed after it.
 *
 * Callers write one after the other, so that each sees the writes before it. A failure rolls back only the caller's
 * own writes. All are acknowledged after the commit, and failures are reported after it too: they may be due to a
 * write of the same group.
 */
export class WriteGroups {
  private readonly store: WrittenFile;
  private readonly limits: CheckpointLimits;
  private readonly queue = new FifoMutex();
  private group: WriteGroup | undefined;
  /** The iteration has ended, and a caller is still writing: the group accepts no further caller. */
  private isDue = false;
  /** Until the latest commits are durable; until then no other is made. */
  private syncing: Promise<unknown> | undefined;
  private isCheckpointing = false;
  /** Until then no group begins. */
  private pause: Promise<void> | undefined;

  constructor(store: WrittenFile, limits: CheckpointLimits) {
    this.store = store;
    this.limits = limits;
  }

  /** Runs one statement. It is atomic by itself, and needs no savepoint. */
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

  /** Runs `work` while no transaction is open and no other caller writes. */
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

  /** A failed one is tried again after the next commit; what the disk has is reported by the commits. */
  private async checkpoint(): Promise<void> {
    if (this.isCheckpointing) return;
    this.isCheckpointing = true;
    await this.checkpointIfDue().catch(() => undefined);
    this.isCheckpointing = false;
  }

  /**
   * A WAL is written from its start again when all of it was checkpointed, which does not happen while others add to it. So a
   * long one is checkpointed twice: beside the writers, and between two groups for the little that they added.
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
