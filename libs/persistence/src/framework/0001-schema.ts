import { type Columns, type MigrationContext } from '../schema/columns';
import { createAccountTables } from './account-tables';
import { createSecurityTables } from './security-tables';
import { createServiceTables } from './service-tables';

/** The tables of the libs, which every application has. */
export async function createTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createAccountTables(db, columns);
  await createSecurityTables(db, columns);
  await createServiceTables(db, columns);
}
