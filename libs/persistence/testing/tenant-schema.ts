import { type ColumnType, type Generated } from 'kysely';
import { type Columns, type MigrationContext } from '../src/schema/columns';
import { DatabaseSchema } from '../src/schema/database-schema';
import { defineTable } from '../src/schema/define-table';

interface SampleTenantTable {
  id: number;
  name: string;
}

interface SampleProjectTable {
  id: Generated<number>;
  tenantId: ColumnType<number, number | undefined, never>;
  title: string;
  rank: number;
}

interface SampleTaskTable {
  id: Generated<number>;
  tenantId: ColumnType<number, number | undefined, never>;
  projectId: number;
  note: string | null;
}

declare module '@app/persistence' {
  interface Tables {
    sampleTenant: SampleTenantTable;
    sampleProject: SampleProjectTable;
    sampleTask: SampleTaskTable;
    /** Copies with a single tenant's rows. */
    copiedProject: SampleProjectTable;
    copiedTask: SampleTaskTable;
  }
}

/** Tenant tables, and tables with the same columns that belong to no tenant. */
export const tenantSchema = new DatabaseSchema('tenants', [
  defineTable('sampleTenant', {
    secrecy: { id: 'open', name: 'open' },
    exported: 'nothing of an account',
    migrations: { '0001-tenants': { apply: createTables } },
  }),
  defineTable('sampleProject', {
    tenant: 'tenantId',
    secrecy: { id: 'open', tenantId: 'open', title: 'open', rank: 'open' },
    exported: 'nothing of an account',
  }),
  defineTable('sampleTask', {
    tenant: 'tenantId',
    secrecy: { id: 'open', tenantId: 'open', projectId: 'open', note: 'open' },
    exported: 'nothing of an account',
  }),
]);

async function createTables(db: MigrationContext, { integer, text, strictTypes }: Columns): Promise<void> {
  await db.schema
    .createTable('sample_tenant')
    .$call(strictTypes)
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .execute();
  for (const prefix of ['sample', 'copied']) {
    await db.schema
      .createTable(`${prefix}_project`)
      .$call(strictTypes)
      .addColumn('id', integer, (column) => column.notNull())
      .addColumn('tenant_id', integer, (column) => column.notNull())
      .addColumn('title', text, (column) => column.notNull())
      .addColumn('rank', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint(`${prefix}_project_pkey`, ['tenant_id', 'id'])
      .execute();
    await db.schema
      .createTable(`${prefix}_task`)
      .$call(strictTypes)
      .addColumn('id', integer, (column) => column.notNull())
      .addColumn('tenant_id', integer, (column) => column.notNull())
      .addColumn('project_id', integer, (column) => column.notNull())
      .addColumn('note', text)
      .addPrimaryKeyConstraint(`${prefix}_task_pkey`, ['tenant_id', 'id'])
      .execute();
  }
}
