import { type Database } from '../database/database';
import { snakeCase } from '../dialects/column-names';
import { SchemaDriftError } from '../errors';
import { isOn } from '../schema/define-table';
import { type MigrationHistory } from '../schema/migration';
import { checkTenantKeys } from './check-tenant-keys';
import { storedIn } from './stored-migrations';

/**
 * Checks that the database has each declared table and column, and the keys of tenant tables. Skips histories with pending migrations. Changes nothing.
 *
 * @throws {SchemaDriftError} with the missing tables and columns
 * @throws {TenantKeyError} as {@link checkTenantKeys} does
 */
export async function checkTables(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const { columns, applied } = await storedIn(db);
  const missing = histories
    .filter(({ owner, migrations }) => Object.keys(migrations).every((name) => applied.get(owner)?.has(name)))
    .flatMap(({ owner, tables = [] }) => tables.map((table) => ({ owner, ...table })))
    .filter((table) => isOn(table, db.dialect))
    .map(({ owner, name, secrecy, migrations = {} }) => ({
      columns: Object.keys(secrecy)
        .map((column) => snakeCase(`${name}.${column}`))
        .filter((column) => !columns.has(column)),
      migrations: Object.keys(migrations).map((migration) => `${owner}/${migration}`),
    }))
    .filter((table) => table.columns.length > 0);
  if (missing.length > 0)
    throw new SchemaDriftError(
      missing.flatMap((table) => table.columns),
      missing.flatMap((table) => table.migrations),
    );
  await checkTenantKeys(db, histories);
}
