import { randomBytes } from 'node:crypto';
import {
  computed,
  Database,
  inTransaction,
  type Queries,
  shareNext,
  statement,
  StoreUnavailableError,
} from '@app/persistence';
import { Injectable, Optional } from '@nestjs/common';
import { sql } from 'kysely';
import { RevocationCache } from './revocation-cache';
import type { Revocation, RevocationRow } from './revocation.table';

/** Adds a revocation to the current transaction. */
export type Revoke = (kind: Revocation['kind'], subject: string | number) => void;

/** The channel for PostgreSQL notifications. */
export const revocationChannel = 'sluice_revocation';

/** A writer's dependencies besides the database. */
interface WriterPorts {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The program's unique name in the log. */
  readonly program: string;
}

/** Revokes sessions and tokens at once in this process, and within a second in all processes. */
@Injectable()
export class Revocations {
  /** Notifies outside the transaction, because PostgreSQL commits notifying transactions in sequence. */
  readonly announce = shareNext(() => this.notify());
  private readonly ports: WriterPorts;
  private lastNumber = 0;
  /** The start time by number, in ascending order, for numbers that a transaction may still commit. */
  private readonly pending = new Map<number, number>();

  /** @param cache absent in a program that checks no access */
  constructor(
    private readonly db: Database,
    @Optional() private readonly cache?: RevocationCache,
    @Optional() ports: Partial<WriterPorts> = {},
  ) {
    this.ports = {
      now: () => performance.now(),
      program: randomBytes(9).toString('base64url'),
      ...ports,
    };
  }

  /**
   * Runs a transaction and commits its revocations with it.
   *
   * @param work calls `revoke` for each revocation; may run several times, like every transaction
   * @returns the result, after the revocations apply in this process
   */
  async inTransaction<T>(work: (db: Queries, revoke: Revoke) => Promise<T>): Promise<T> {
    let revoked: Revocation[] = [];
    const numbers: number[] = [];
    const run = inTransaction(this.db, async (db) => {
      revoked = [];
      const value = await work(db, (kind, subject) => revoked.push({ kind, subject: String(subject) }));
      const entries = revoked.map((revocation) => ({ ...revocation, ...this.nextNumber() }));
      numbers.push(...entries.map(({ number }) => number));
      const createdAt = new Date();
      for (const entry of entries) await insert[this.db.dialect].execute(db, { ...entry, createdAt });
      return value;
    });
    const result = await run.catch((error: unknown) => {
      // Without the store the outcome of a commit is unknown.
      if (!(error instanceof StoreUnavailableError)) this.settle(numbers);
      throw error;
    });
    this.cache?.apply(revoked);
    this.settle(numbers);
    if (revoked.length > 0) void this.announce();
    return result;
  }

  /** Deletes the `limit` oldest old entries, and all from the same millisecond as the last. Returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }

  /**
   * Numbers an entry. Readers cannot rely on the id order, since transactions commit in a different order, so they rely on the
   * program's knowledge about its own transactions. A transaction with an unknown outcome counts as pending until the affected
   * tokens have expired.
   */
  private nextNumber(): Numbering {
    const { now, program } = this.ports;
    const [number, at] = [(this.lastNumber += 1), now()];
    this.pending.set(number, at);
    for (const [first, startedAt] of this.pending) {
      if (at - startedAt <= (this.cache?.keepMs ?? Infinity)) return { program, number, settledBelow: first };
      this.pending.delete(first);
    }
    return { program, number, settledBelow: number };
  }

  private settle(numbers: readonly number[]): void {
    for (const number of numbers) this.pending.delete(number);
  }

  /** Notifies the other processes on PostgreSQL. They poll as well, so it may fail. */
  protected async notify(): Promise<void> {
    if (this.db.dialect === 'sqlite') return;
    await sql`select pg_notify(${revocationChannel}, '')`.execute(this.db).catch(() => undefined);
  }
}

type Numbering = Pick<RevocationRow, 'program' | 'number' | 'settledBelow'>;

/** Inserts an entry with the store's time, because a starting program skips old entries from all writers. */
const insert = {
  sqlite: statement(({ program, number, settledBelow, kind, subject, createdAt }: RevocationRow, db) =>
    db.insertInto('revocation').values({ program, number, settledBelow, kind, subject, createdAt }),
  ),
  postgres: statement(({ program, number, settledBelow, kind, subject }: RevocationRow, db) => {
    const createdAt = sql<Date>`clock_timestamp()`;
    return db.insertInto('revocation').values({ program, number, settledBelow, kind, subject, createdAt });
  }),
};

/** Deletes by the last entry's time, so that only the time index is read. */
const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const last = db
    .selectFrom('revocation')
    .select('createdAt')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .offset(computed(limit, (rows) => rows - 1))
    .limit(1);
  return db
    .deleteFrom('revocation')
    .where('createdAt', '<', before)
    .where('createdAt', '<=', ({ fn }) => fn.coalesce(last, sql<Date>`${before}`));
});
