import { existsSync } from 'node:fs';
import { type Database } from '../database/database';
import { BackupError } from '../errors';
import { restorePostgres, serverOf } from './postgres-tools';
import { restoreSqlite } from './sqlite-backup';

/**
 * Replaces the database by a backup of {@link backUp}, after it has been checked. The SQLite file that was there stays beside
 * it with `.replaced` at its end.
 *
 * @param db nothing else may use it
 * @throws {BackupError} if the backup is missing or damaged, or a program uses the database; nothing was changed then
 */
export async function restore(db: Database, file: string): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`there is no ${file}`);
  const server = serverOf(db);
  await (server === undefined ? restoreSqlite(file, db.place) : restorePostgres(server, file));
}
