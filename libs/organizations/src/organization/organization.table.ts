import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import type { Generated, Selectable } from 'kysely';

/** An organization. */
export interface OrganizationTable {
  id: Generated<number>;
  name: string;
  createdAt: Date;
  /** The time since which it does not exist for anybody; a job deletes its rows. */
  deletedAt: Date | null;
}

/** A selected organization. */
export type OrganizationRow = Selectable<OrganizationTable>;

declare module '@app/persistence' {
  interface Tables {
    organization: OrganizationTable;
  }
}

export const organizationTable = defineTable('organization', {
  secrecy: { id: 'open', name: 'open', createdAt: 'open', deletedAt: 'operators' },
  exported: { part: 'organizations', without: { deletedAt: 'a deleted organization has no members' } },
  migrations: { '0001-organization': { apply: createOrganization } },
});

async function createOrganization(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('organization')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('deleted_at', timestamp);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('organization');
  await index('organization_deleted_at').column('deleted_at').execute();
  await index('organization_name_id').columns(['name', 'id']).execute();
}
