import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/**
 * A block of audit events, or the record of deleted ones: its hash contains that of the block before, so that neither can be changed
 * alone.
 */
export interface AuditBlockTable {
  /** From 1, without a gap; primary key. */
  number: number;
  /** How many events it has, or were deleted. */
  events: number;
  /** SHA-256 in base64url of its events, or of the hashes of the blocks whose events were deleted. */
  digest: string;
  /** SHA-256 in base64url of the fields above and below except `prunedBy`, and of the hash before. */
  hash: string;
  /** The time of its newest event, or of the newest deleted one. */
  newestAt: Date;
  /** Of a record: the first block whose events were deleted; otherwise `null`. */
  prunedFrom: number | null;
  /** Of a record: the last one. */
  prunedTo: number | null;
  /** The record of the deletion of its events; of a record its own number. `null` while its events are there. */
  prunedBy: number | null;
}

/** A selected block. */
export type AuditBlockRow = Selectable<AuditBlockTable>;

declare module '@app/persistence' {
  interface Tables {
    auditBlock: AuditBlockTable;
  }
}

export const auditBlockTable = defineTable('auditBlock', {
  secrecy: {
    number: 'operators',
    events: 'operators',
    digest: 'internal',
    hash: 'operators',
    newestAt: 'internal',
    prunedFrom: 'internal',
    prunedTo: 'internal',
    prunedBy: 'internal',
  },
  exported: 'nothing of an account',
  migrations: { '0012-audit-block': { apply: createAuditBlock } },
});

async function createAuditBlock(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_block')
    .$call(strictTypes)
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('events', integer, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('newest_at', timestamp, (column) => column.notNull())
    .addColumn('pruned_from', integer)
    .addColumn('pruned_to', integer)
    .addColumn('pruned_by', integer);
  await table.execute();
  await db.schema
    .createIndex('audit_block_pruned_by_number')
    .on('audit_block')
    .columns(['pruned_by', 'number'])
    .execute();
}
