import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import type { Selectable } from 'kysely';

/** An account's membership in an organization; deleted with either. Primary key: both ids. */
export interface OrganizationMemberTable {
  organizationId: number;
  accountId: number;
  /** A declared role; a role that is no longer declared permits nothing. */
  role: string;
  createdAt: Date;
}

/** A selected membership. */
export type OrganizationMemberRow = Selectable<OrganizationMemberTable>;

declare module '@app/persistence' {
  interface Tables {
    organizationMember: OrganizationMemberTable;
  }
}

export const organizationMemberTable = defineTable('organizationMember', {
  secrecy: { organizationId: 'open', accountId: 'open', role: 'open', createdAt: 'open' },
  exported: {
    part: 'organizations',
    without: { accountId: 'is the account itself', organizationId: 'is the id of the organization' },
  },
  migrations: { '0002-organization-member': { apply: createMember } },
});

async function createMember(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('organization_member')
    .$call(strictTypes)
    .addColumn('organization_id', integer, (column) =>
      column.notNull().references('organization.id').onDelete('cascade'),
    )
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('organization_member_pkey', ['organization_id', 'account_id']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('organization_member');
  await index('organization_member_account_id').columns(['account_id', 'organization_id']).execute();
  await index('organization_member_role').columns(['organization_id', 'role']).execute();
}
