import { rm } from 'node:fs/promises';
import { type Database } from '../database/database';
import { BackupError } from '../errors';
import { backUpPostgres, serverOf } from './postgres-tools';
import { backUpSqlite } from './sqlite-backup';

/**
 * Writes a backup to a new file while programs may use the database. The backup shows the database at a single moment and
 * contains every write acknowledged before the call.
 *
 * @param file must not exist yet; its mode is 0600, since it holds password hashes
 * @throws {BackupError} if the file exists or cannot be written
 */
export async function backUp(db: Database, file: string): Promise<void> {
  const server = serverOf(db);
  const write = server === undefined ? backUpSqlite(db.place, file) : backUpPostgres(server, file);
  await write.catch(async (error: unknown) => {
    if (!isExisting(error)) await rm(file, { force: true });
    throw isExisting(error)
      ? new BackupError(`${file} exists: name a new file`)
      : new BackupError(`no backup was written: ${messageOf(error)}`, { cause: error });
  });
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
