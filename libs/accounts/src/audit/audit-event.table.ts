import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** An audit log event. A row changes only while it gathers its day's repetitions. */
export interface AuditEventTable {
  id: Generated<number>;
  /** The event's kind, such as `sign-in`. */
  kind: string;
  /**
   * The affected account's id; `null` if the event affects no account. The column is not a foreign key, because events outlive
   * accounts.
   */
  accountId: number | null;
  /** The acting account's id, if a different account acted. */
  actorId: number | null;
  /** The client's address. */
  ip: string | null;
  /** The program that recorded it, such as `api`; `null` if it is unknown. */
  program: string | null;
  /** A JSON object with further facts; it contains no secret. */
  detail: string;
  createdAt: Date;
  /** The number of its block in the chain; `null` until it is sealed. */
  block: number | null;
}

/** A selected event. */
export type AuditEventRow = Selectable<AuditEventTable>;

declare module '@app/persistence' {
  interface Tables {
    auditEvent: AuditEventTable;
  }
}

export const auditEventTable = defineTable('auditEvent', {
  secrecy: {
    id: 'open',
    kind: 'operators',
    accountId: 'operators',
    actorId: 'operators',
    ip: 'operators',
    program: 'operators',
    detail: 'operators',
    createdAt: 'open',
    block: 'operators',
  },
  exported: {
    part: 'auditEvents',
    without: {
      id: 'only orders the log',
      accountId: 'is the account itself',
      actorId: 'is another account: isByAnother tells that there was one',
      block: 'only seals the log',
    },
  },
  migrations: { '0011-audit-event': { apply: createAuditEvent } },
});

/** Creates the table and its indexes: events are read by account, by kind or by both, newest first, and deleted by age. */
async function createAuditEvent(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_event')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', integer)
    .addColumn('actor_id', integer)
    .addColumn('ip', text)
    .addColumn('program', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('block', integer);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('audit_event');
  await index('audit_event_account_id_id').columns(['account_id', 'id']).execute();
  await index('audit_event_account_id_kind_id').columns(['account_id', 'kind', 'id']).execute();
  await index('audit_event_kind_id').columns(['kind', 'id']).execute();
  await index('audit_event_block_id').columns(['block', 'id']).execute();
  await index('audit_event_created_at').column('created_at').execute();
}
