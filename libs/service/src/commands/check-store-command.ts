import { parseArgs } from 'node:util';
import { checkIntegrity, checkTables, type Database, type MigrationHistory } from '@app/persistence';

/**
 * Checks the structure and the tables of a database, whatever its size, and changes nothing.
 *
 * @returns the lines to print
 * @throws {StoreFaultError} if the database is damaged
 * @throws {SchemaDriftError} if it lacks a table or a column that the program declares
 */
export async function runCheckStoreCommand(
  db: Database,
  args: readonly string[],
  histories: readonly MigrationHistory[],
): Promise<readonly string[]> {
  parseArgs({ args: [...args] });
  checkIntegrity(db, Number.POSITIVE_INFINITY);
  // SQLite would create the file, or write to it if there is a WAL.
  const { error } = db.dialect === 'postgres' ? await db.check() : {};
  if (error) throw error;
  await checkTables(db, histories);
  return [`${db.place} is not damaged`];
}
