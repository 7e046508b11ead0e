import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AuditBlockRow, type Database, type Queries, statement } from '@app/persistence';
import type { AuditChain } from './audit-chain';
import { digestOf, firstHash, hashOf } from './block-hash';

/** What is wrong with a block. */
export interface ChainFault {
  readonly block: number;
  readonly problem: string;
}

/** The result of a check. */
export interface CheckedChain {
  /** Whether no fault was found, and the chain has the hash that was asked for. */
  readonly isIntact: boolean;
  readonly blocks: number;
  /** Sealed events that were compared. */
  readonly events: number;
  /** Blocks whose events were deleted after their retention: their hashes alone were compared. */
  readonly prunedBlocks: number;
  /** Events that are not sealed yet, at most {@link MAX_UNSEALED}. */
  readonly unsealed: number;
  /** The hash of the last block, to be kept elsewhere; `null` without a block. */
  readonly head: string | null;
  /** The first {@link MAX_FAULTS}. */
  readonly faults: ChainFault[];
}

const MAX_FAULTS = 20;
const MAX_UNSEALED = 10_000;
const BLOCKS_AT_ONCE = 100;

/** Compares every block of the audit log with its events and with the block before. */
export class ChainCheck {
  constructor(
    private readonly db: Database,
    private readonly chain: AuditChain,
  ) {}

  /** @param knownHead the head of an earlier check, which must be in the chain still */
  async check(knownHead?: string): Promise<CheckedChain> {
    const run = new CheckRun(this.db);
    for (let after = 0, rows = await this.read(after); rows.length > 0; rows = await this.read(after)) {
      for (const block of rows) await run.add(block);
      after = rows.at(-1)?.number ?? after;
      // A long chain must not hold up requests.
      await nextTurn();
    }
    const isKnown = knownHead === undefined || run.hashes.has(knownHead);
    if (!isKnown) run.report(run.blocks, 'the hash of an earlier check is not in the chain');
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

/** The state of one check. */
class CheckRun {
  head = firstHash;
  blocks = 0;
  events = 0;
  prunedBlocks = 0;
  readonly hashes = new Set<string>();
  readonly faults: ChainFault[] = [];

  constructor(private readonly db: Queries) {}

  async add(block: AuditBlockRow): Promise<void> {
    this.blocks += 1;
    if (block.number !== this.blocks) this.report(block.number, 'a block before this one is missing');
    this.blocks = block.number;
    if (hashOf(block, this.head) !== block.hash) this.report(block.number, 'its hash is another one');
    this.head = block.hash;
    this.hashes.add(block.hash);
    if (block.prunedAt === null) await this.compareEvents(block);
    else this.prunedBlocks += 1;
  }

  report(block: number, problem: string): void {
    this.faults.push({ block, problem });
  }

  private async compareEvents({ number, events, digest }: AuditBlockRow): Promise<void> {
    const found = await eventsOf.all(this.db, { block: number });
    this.events += found.length;
    if (found.length === events && digestOf(found) === digest) return;
    // Pruned since the block was read.
    if ((await blockOf.first(this.db, { number }))?.prunedAt != null) return;
    this.report(
      number,
      found.length === events ? 'an event was changed' : `${found.length} of ${events} events are there`,
    );
  }
}

const blocksAfter = statement(({ after, limit }: { after: number; limit: number }, db) =>
  db.selectFrom('auditBlock').selectAll().where('number', '>', after).orderBy('number').limit(limit),
);

const blockOf = statement(({ number }: { number: number }, db) =>
  db.selectFrom('auditBlock').select('prunedAt').where('number', '=', number),
);

const eventsOf = statement(({ block }: { block: number }, db) =>
  db.selectFrom('auditEvent').selectAll().where('block', '=', block).orderBy('id'),
);
