import { type Database } from './database';
import { quickCheck } from '../dialects/sqlite/quick-check';

/**
 * Checks the structure of a SQLite file before anything is written to it. PostgreSQL checks its pages itself, if it was
 * initialized with checksums.
 *
 * @returns whether it was checked: `false` for a file that is too large to be checked at each start
 * @throws {StoreFaultError} if it is damaged; a WAL of another file beside it counts as damage
 */
export function checkIntegrity({ dialect, place }: Database, maxBytes?: number): boolean {
  return dialect !== 'sqlite' || quickCheck(place, maxBytes);
}
