import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import type { Generated, Selectable } from 'kysely';

/** An organization event, as members may read it. The audit log has every event as well. */
export interface OrganizationEventTable {
  id: Generated<number>;
  organizationId: number;
  /** The kind, such as `member-added`. */
  kind: string;
  /** The affected account. There is no foreign key, because events outlive accounts. */
  accountId: number | null;
  /** The account that acted. */
  actorId: number;
  /** The new role, if the event is about a role. */
  role: string | null;
  createdAt: Date;
}

/** A selected event. */
export type OrganizationEventRow = Selectable<OrganizationEventTable>;

declare module '@app/persistence' {
  interface Tables {
    organizationEvent: OrganizationEventTable;
  }
}

declare module '@app/accounts' {
  interface OwnAuditKinds {
    'organization-created': true;
    'organization-changed': true;
    'member-changed': true;
    'organization-deleted': true;
    'ownership-transferred': true;
    'member-removed': true;
    'member-added': true;
    'invitation-created': true;
    'invitation-withdrawn': true;
  }
}

/** The event kinds. */
export const organizationKinds = [
  'organization-created',
  'organization-changed',
  'member-changed',
  'organization-deleted',
  'ownership-transferred',
  'member-removed',
  'member-added',
  'invitation-created',
  'invitation-withdrawn',
] as const;

export const organizationEventTable = defineTable('organizationEvent', {
  secrecy: {
    id: 'open',
    organizationId: 'internal',
    kind: 'open',
    accountId: 'open',
    actorId: 'open',
    role: 'open',
    createdAt: 'open',
  },
  exported: { not: 'belongs to the organization; the events of the account are in `auditEvents`' },
  migrations: { '0003-organization-event': { apply: createEvent } },
});

async function createEvent(
  db: MigrationContext,
  { integer, timestamp, text, ownedBy, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('organization_event')
    .$call(strictTypes)
    .$call(ownedBy('organization_event', 'organization'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', integer)
    .addColumn('actor_id', integer, (column) => column.notNull())
    .addColumn('role', text)
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema
    .createIndex('organization_event_created_at')
    .on('organization_event')
    .column('created_at')
    .execute();
}
