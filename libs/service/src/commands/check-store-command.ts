import { parseArgs } from 'node:util';
import { checkIntegrity, type Database } from '@app/persistence';

/**
 * Checks the structure of a database, whatever its size, and changes nothing.
 *
 * @returns what to print, line by line
 * @throws {StoreFaultError} if it is damaged
 */
export async function runCheckStoreCommand(
  db: Database,
  args: readonly string[],
): Promise<readonly string[]> {
  parseArgs({ args: [...args] });
  checkIntegrity(db, Number.POSITIVE_INFINITY);
  // Opening it by SQLite would create the file, and write to it if there is a WAL.
  const { error } = db.dialect === 'postgres' ? await db.check() : {};
  if (error) throw error;
  return [`${db.place} is not damaged`];
}
