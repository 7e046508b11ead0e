import { type Database } from './database';
import { quickCheck } from '../dialects/sqlite/quick-check';

/**
 * Checks a SQLite file's structure before the first write. PostgreSQL checks its own pages if it was initialized with checksums.
 *
 * @returns whether the file was checked; `false` if it is too large to check at each start
 * @throws {StoreFaultError} if the file is damaged; a foreign WAL beside it counts as damage
 */
export function checkIntegrity({ dialect, place }: Database, maxBytes?: number): boolean {
  return dialect !== 'sqlite' || quickCheck(place, maxBytes);
}
