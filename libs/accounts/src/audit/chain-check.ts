import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, type Queries, statement } from '@app/persistence';
import type { AuditBlockRow } from './audit-block.table';
import type { AuditChain } from './audit-chain';
import { contentOfPruned, digestOf, firstHash, hashOf } from './block-hash';

/** A block with the problem that was found in it. */
export interface ChainFault {
  readonly block: number;
  readonly problem: string;
}

/** The result of a check. */
export interface CheckedChain {
  /** Whether the chain has no fault and contains the given hash. */
  readonly isIntact: boolean;
  /** The number of checked blocks, including blocks that record deletions. */
  readonly blocks: number;
  /** The number of sealed events that were compared. */
  readonly events: number;
  /** The number of blocks with events that were deleted after their retention. */
  readonly prunedBlocks: number;
  /** The number of events that are not sealed yet, at most {@link MAX_UNSEALED}. */
  readonly unsealed: number;
  /** The last block's hash, to be stored elsewhere; `null` if there is no block. */
  readonly head: string | null;
  /** The first {@link MAX_FAULTS} faults. */
  readonly faults: ChainFault[];
}

const MAX_FAULTS = 20;
const MAX_UNSEALED = 10_000;
const BLOCKS_AT_ONCE = 100;
/** The margin for a clock that is ahead in the program that deleted events. */
const CLOCK_MARGIN_MS = 3_600_000;

/** Compares every block of the audit log with its events and with the block before, and every deletion with its record. */
export class ChainCheck {
  /** @param retentionMs the audit log's retention; events that were deleted earlier are a fault */
  constructor(
    private readonly db: Database,
    private readonly chain: AuditChain,
    private readonly retentionMs: number,
  ) {}

  /**
   * @param knownHead the head of an earlier check, which the chain must still contain; premature deletions before it are left to
   *   that check
   */
  async check(knownHead?: string): Promise<CheckedChain> {
    const run = new CheckRun(this.db, Date.now() - this.retentionMs + CLOCK_MARGIN_MS, knownHead);
    for (let after = 0, rows = await this.read(after); rows.length > 0; rows = await this.read(after)) {
      for (const block of rows) await run.add(block);
      after = rows.at(-1)?.number ?? after;
      // A long chain must not delay requests.
      await nextTurn();
    }
    await run.end();
    const { blocks, events, prunedBlocks, faults } = run;
    return {
      isIntact: faults.length === 0,
      blocks,
      events,
      prunedBlocks,
      unsealed: await this.chain.countUnsealed(MAX_UNSEALED),
      head: blocks === 0 ? null : run.head,
      faults: faults.slice(0, MAX_FAULTS),
    };
  }

  private read(after: number): Promise<AuditBlockRow[]> {
    return blocksAfter.all(this.db, { after, limit: BLOCKS_AT_ONCE });
  }
}

/** A single check's state. */
class CheckRun {
  head = firstHash;
  blocks = 0;
  events = 0;
  prunedBlocks = 0;
  readonly faults: ChainFault[] = [];
  /** The deletion records that pruned blocks name and that were not read yet. */
  private readonly expectedRecords = new Set<number>();
  /** The records that deleted events before their retention was over. */
  private readonly early: number[] = [];
  private knownNumber: number | undefined;

  /** @param keptSince milliseconds since 1970; later events must not be deleted yet */
  constructor(
    private readonly db: Queries,
    private readonly keptSince: number,
    private readonly knownHead?: string,
  ) {}

  async add(block: AuditBlockRow): Promise<void> {
    this.blocks += 1;
    if (block.number !== this.blocks) this.report(block.number, 'a block before this one is missing');
    this.blocks = block.number;
    if (hashOf(block, this.head) !== block.hash) this.report(block.number, 'its hash is another one');
    this.head = block.hash;
    if (block.hash === this.knownHead) this.knownNumber = block.number;
    if (block.prunedFrom !== null) await this.compareRecord(block);
    else if (block.prunedBy === null) await this.compareEvents(block);
    else this.expectRecord(block.prunedBy);
  }

  /** Reports the faults that only the complete chain shows. */
  async end(): Promise<void> {
    if (this.knownHead !== undefined && this.knownNumber === undefined)
      this.report(this.blocks, 'the hash of an earlier check is not in the chain');
    for (const number of this.early.filter((record) => record > (this.knownNumber ?? 0)))
      this.report(number, 'events were deleted before AUDIT_RETENTION');
    for (const number of this.expectedRecords) this.report(number, 'the record of deleted events is missing');
    const stray = await eventWithoutBlock.first(this.db, { last: this.blocks });
    if (stray !== undefined) this.report(stray.block ?? 0, 'an event is of a block that does not exist');
  }

  private report(block: number, problem: string): void {
    this.faults.push({ block, problem });
  }

  private expectRecord(number: number): void {
    this.prunedBlocks += 1;
    this.expectedRecords.add(number);
  }

  private async compareEvents({ number, events, digest }: AuditBlockRow): Promise<void> {
    const stored = await eventsOf.all(this.db, { block: number });
    this.events += stored.length;
    if (stored.length === events && digestOf(stored) === digest) return;
    // The block may have been pruned since it was read.
    const prunedBy = (await blockOf.first(this.db, { number }))?.prunedBy;
    if (prunedBy != null) return this.expectRecord(prunedBy);
    this.report(
      number,
      stored.length === events ? 'an event was changed' : `${stored.length} of ${events} events are there`,
    );
  }

  /** Compares a record with the blocks that name it. They must match exactly and have no events any more. */
  private async compareRecord(record: AuditBlockRow): Promise<void> {
    const { number, prunedBy, newestAt } = record;
    this.expectedRecords.delete(number);
    if (newestAt.getTime() >= this.keptSince) this.early.push(number);
    const [first, ...others] = await blocksPrunedBy.all(this.db, { record: number });
    const left = await eventsPrunedBy.first(this.db, { record: number });
    const isEqual = first !== undefined && isRecordOf(record, contentOfPruned([first, ...others]));
    if (prunedBy !== number || !isEqual || left !== undefined)
      this.report(number, 'deleted events differ from their record');
  }
}

type RecordContent = ReturnType<typeof contentOfPruned>;

function isRecordOf(record: AuditBlockRow, content: RecordContent): boolean {
  return (
    record.events === content.events &&
    record.digest === content.digest &&
    record.newestAt.getTime() === content.newestAt.getTime() &&
    record.prunedFrom === content.prunedFrom &&
    record.prunedTo === content.prunedTo
  );
}

const blocksAfter = statement(({ after, limit }: { after: number; limit: number }, db) =>
  db.selectFrom('auditBlock').selectAll().where('number', '>', after).orderBy('number').limit(limit),
);

const blockOf = statement(({ number }: { number: number }, db) =>
  db.selectFrom('auditBlock').select('prunedBy').where('number', '=', number),
);

const eventsOf = statement(({ block }: { block: number }, db) =>
  db.selectFrom('auditEvent').selectAll().where('block', '=', block).orderBy('id'),
);

/** Selects a record's blocks, except the record itself. */
const blocksPrunedBy = statement(({ record }: { record: number }, db) =>
  db
    .selectFrom('auditBlock')
    .select(['number', 'events', 'hash', 'newestAt'])
    .where('prunedBy', '=', record)
    .where('number', '<', record)
    .orderBy('number'),
);

const eventsPrunedBy = statement(({ record }: { record: number }, db) =>
  db
    .selectFrom('auditBlock')
    .innerJoin('auditEvent', 'auditEvent.block', 'auditBlock.number')
    .select('auditEvent.id')
    .where('prunedBy', '=', record)
    .limit(1),
);

/**
 * Finds an event before the first block or after the last block, since the last block may have been sealed meanwhile. An event
 * in a gap belongs to a missing block. Each range has its own query, because PostgreSQL reads the whole index for both at once.
 *
 * @param last the number of the last block that was read
 */
const eventWithoutBlock = statement(({ last }: { last: number }, db) => {
  const events = db.selectFrom('auditEvent').select('block');
  const isAfterLast = events.where('block', '>', (event) =>
    event
      .selectFrom('auditBlock')
      .where('number', '>', last)
      .select((block) => block.fn.coalesce(block.fn.max('number'), block.val(last)).as('last')),
  );
  return events.where('block', '<', 1).unionAll(isAfterLast).limit(1);
});
