import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/**
 * An audit event block, or a record that a deletion leaves. Its hash covers the hash before it, so that a block cannot be changed
 * alone.
 */
export interface AuditBlockTable {
  /** The block number: counts from 1 without a gap; primary key. */
  number: number;
  /** The number of events in the block. A record counts the events that it deleted. */
  events: number;
  /** The SHA-256 digest of its events, in base64url. A record digests the hashes from the blocks that it pruned. */
  digest: string;
  /** The SHA-256 in base64url over the other fields except `prunedBy`, and over the hash before. */
  hash: string;
  /** The time of the newest event, also if it was deleted. */
  newestAt: Date;
  /** The first block that a record pruned; `null` for a block of events. */
  prunedFrom: number | null;
  /** The last block that a record pruned; `null` for a block of events. */
  prunedTo: number | null;
  /** The number of the record that deleted the events; a record has its own number. `null` while the events exist. */
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
