import { Database, inTransaction, type Queries, statement, UniqueViolationError } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AuditBlockRow } from './audit-block.table';
import type { AuditEventRow } from './audit-event.table';
import { repeatedKinds } from './audit-log';
import {
  type BlockContent,
  contentOfPruned,
  digestOf,
  firstHash,
  hashOf,
  type PrunedBlock,
} from './block-hash';

/** The margin for clock differences between programs, because a row with repeated events changes until its day is over. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Seals events into a block chain, which reveals changed, removed and inserted events. Recording an event does not wait for the
 * seal: the first program that gets to it seals committed events later, block by block.
 */
@Injectable()
export class AuditChain {
  constructor(private readonly db: Database) {}

  /**
   * Seals the oldest events that have no block, at most `limit`, as the next block.
   *
   * @returns the number of sealed events; 0 also if a different program was faster
   */
  async sealNext(limit: number): Promise<number> {
    // Read outside the transaction, which would otherwise conflict with everybody who records an event.
    const ids = await this.unsealed(limit);
    if (ids.length === 0) return 0;
    return ifFirst(() => inTransaction(this.db, (db) => this.seal(ids, db)));
  }

  /**
   * Deletes about `limit` events, block by block, from blocks that only have events before the given time. The blocks stay. A
   * further block records the deletion, so that every unrecorded deletion is found.
   *
   * @returns the number of deleted events; `limit` or more if further events may be left, 0 also if a different program was
   *   faster
   */
  pruneOlder(before: Date, limit: number): Promise<number> {
    return ifFirst(() => inTransaction(this.db, (db) => this.prune(before, limit, db)));
  }

  /** Counts the events that have no block yet, at most `limit`. */
  async countUnsealed(limit: number): Promise<number> {
    return (await this.unsealed(limit)).length;
  }

  private async unsealed(limit: number): Promise<number[]> {
    const margin = new Date(Date.now() - CLOCK_MARGIN_MS);
    const today = new Date(`${margin.toISOString().slice(0, 10)}T00:00:00.000Z`);
    return (await unsealedIds.all(this.db, { today, limit })).map(({ id }) => id);
  }

  private async seal(ids: readonly number[], db: Queries): Promise<number> {
    const last = await lastBlock.first(db, {});
    const number = (last?.number ?? 0) + 1;
    const events = await claim(ids, number, db);
    if (events.length === 0) return 0;
    const newestAt = new Date(Math.max(...events.map(({ createdAt }) => createdAt.getTime())));
    const content = { events: events.length, digest: digestOf(events), newestAt };
    const block = { ...content, number, prunedFrom: null, prunedTo: null };
    await insertBlock.execute(db, { ...block, hash: hashOf(block, last?.hash ?? firstHash), prunedBy: null });
    return events.length;
  }

  private async prune(before: Date, limit: number, db: Queries): Promise<number> {
    const last = await lastBlock.first(db, {});
    const number = (last?.number ?? 0) + 1;
    const [first, ...others] = await oldestBlocks.all(db, { before, limit });
    if (first === undefined) return 0;
    const pruned: [PrunedBlock, ...PrunedBlock[]] = [first];
    let deleted = await pruneBlock(first, number, db);
    for (const block of others) {
      if (deleted >= limit) break;
      deleted += await pruneBlock(block, number, db);
      pruned.push(block);
    }
    // The record counts only the events deleted here, so that events which somebody removed before stay missing.
    const record: BlockContent = { ...contentOfPruned(pruned), number, events: deleted };
    const hash = hashOf(record, last?.hash ?? firstHash);
    await insertBlock.execute(db, { ...record, hash, prunedBy: number });
    return deleted;
  }
}

/** @returns the `append` result; 0 if a different program has already created a block with this number */
async function ifFirst(append: () => Promise<number>): Promise<number> {
  try {
    return await append();
  } catch (error) {
    if (error instanceof UniqueViolationError) return 0;
    throw error;
  }
}

/** @returns the number of deleted events */
async function pruneBlock({ number }: PrunedBlock, prunedBy: number, db: Queries): Promise<number> {
  await markPruned.execute(db, { number, prunedBy });
  return removeEvents.count(db, { block: number });
}

/** Claims events for a block and returns their current rows by id. Skips events that a different program has claimed. */
async function claim(ids: readonly number[], block: number, db: Queries): Promise<AuditEventRow[]> {
  const events = await db
    .updateTable('auditEvent')
    .set({ block })
    .where('id', 'in', ids)
    .where('block', 'is', null)
    .returningAll()
    .execute();
  return events.toSorted((a, b) => a.id - b.id);
}

const unsealedIds = statement(({ today, limit }: { today: Date; limit: number }, db) =>
  db
    .selectFrom('auditEvent')
    .select('id')
    .where('block', 'is', null)
    .where((event) => event.or([event('kind', 'not in', repeatedKinds), event('createdAt', '<', today)]))
    .orderBy('id')
    .limit(limit),
);

const lastBlock = statement((_given: {}, db) =>
  db
    .selectFrom('auditBlock')
    .select(['number', 'hash'])
    .where('number', '>', 0)
    .orderBy('number', 'desc')
    .limit(1),
);

const insertBlock = statement((block: AuditBlockRow, db) =>
  db.insertInto('auditBlock').values({
    number: block.number,
    events: block.events,
    digest: block.digest,
    hash: block.hash,
    newestAt: block.newestAt,
    prunedFrom: block.prunedFrom,
    prunedTo: block.prunedTo,
    prunedBy: block.prunedBy,
  } satisfies AuditBlockRow),
);

const oldestBlocks = statement(({ before, limit }: { before: Date; limit: number }, db) =>
  db
    .selectFrom('auditBlock')
    .select(['number', 'events', 'hash', 'newestAt'])
    .where('prunedBy', 'is', null)
    .where('newestAt', '<', before)
    .orderBy('number')
    .limit(limit)
    .forUpdate(),
);

const removeEvents = statement(({ block }: { block: number }, db) =>
  db.deleteFrom('auditEvent').where('block', '=', block),
);

const markPruned = statement(({ number, prunedBy }: { number: number; prunedBy: number }, db) =>
  db.updateTable('auditBlock').set({ prunedBy }).where('number', '=', number),
);
