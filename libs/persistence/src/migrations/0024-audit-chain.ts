import { type Columns, type MigrationContext } from './columns';
import { concurrentIndex } from './concurrent-index';

/**
 * The program of each audit event, and the chain of blocks that shows whether events were changed. Programs that do not know it would
 * delete events of a block one by one, so they do not start.
 */
export async function auditChain(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  await db.schema.alterTable('audit_event').addColumn('program', text).execute();
  await db.schema.alterTable('audit_event').addColumn('block', integer).execute();
  const table = db.schema
    .createTable('audit_block')
    .$call(strictTypes)
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('events', integer, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('newest_at', timestamp, (column) => column.notNull())
    .addColumn('pruned_at', timestamp);
  await table.execute();
  await db.schema
    .createIndex('audit_block_pruned_at_number')
    .on('audit_block')
    .columns(['pruned_at', 'number'])
    .execute();
}

/** The events of a block, and those of none, are found without reading all. */
export const auditBlockIndex = concurrentIndex({
  name: 'audit_event_block_id',
  table: 'audit_event',
  columns: ['block', 'id'],
});
