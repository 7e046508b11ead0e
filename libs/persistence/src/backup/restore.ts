import { existsSync } from 'node:fs';
import { type Database } from '../database/database';
import { BackupError } from '../errors';
import { restorePostgres, serverOf } from './postgres-tools';
import { restoreSqlite } from './sqlite-backup';

/**
 * Checks a {@link backUp} backup and replaces the database with it. The previous SQLite file stays beside it, with the suffix
 * `.replaced`.
 *
 * @param db must not be used by any other program
 * @throws {BackupError} if the backup is missing or damaged, or a program uses the database; the database is unchanged then
 */
export async function restore(db: Database, file: string): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`there is no ${file}`);
  const server = serverOf(db);
  await (server === undefined ? restoreSqlite(file, db.place) : restorePostgres(server, file));
}
