import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { quickCheck } from '../dialects/sqlite/quick-check';
import { BackupError } from '../errors';
import { importedTable, requirementTable } from '../migrations/stored-migrations';

/**
 * The page count for a copy in a single step, in a separate thread. A later step would start over if a program had written
 * meanwhile.
 */
const ALL_PAGES = 2 ** 31 - 1;
const SQLITE_BUSY = 5;

/** Writes a snapshot backup with SQLite's online backup. Writers continue meanwhile. */
export async function backUpSqlite(path: string, file: string): Promise<void> {
  if (!existsSync(path)) throw new BackupError(`there is no ${path}`);
  await (await open(file, 'wx', 0o600)).close();
  await copy(path, file);
  quickCheck(file, Number.POSITIVE_INFINITY);
}

/** Copies a database, including its WAL, to a single file without a WAL. */
async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const target = new DatabaseSync(to);
  target.exec('pragma journal_mode = delete');
  target.close();
  await syncFile(to);
}

/** Replaces the old file after the new file is complete and synced to the disk. */
export async function restoreSqlite(file: string, path: string): Promise<void> {
  checkBackup(file);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = existsSync(path) ? lock(path) : (): void => {};
  const complete = `${path}.restoring`;
  try {
    await (await open(complete, 'w', 0o600)).close();
    await copy(file, complete);
    if (existsSync(path)) renameSync(path, `${path}.replaced`);
    // A WAL belongs to its file: SQLite would write its pages into the new one.
    removeSideFiles(path);
    renameSync(complete, path);
    await syncFile(dirname(path));
  } finally {
    unlock();
    rmSync(complete, { force: true });
  }
}

/** Syncs a file, or the names in a folder, to the disk. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function checkBackup(file: string): void {
  try {
    quickCheck(file, Number.POSITIVE_INFINITY);
  } catch (cause) {
    throw new BackupError(`${file} is damaged: use another backup`, { cause });
  }
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = `'${requirementTable}', '${importedTable}'`;
    if (database.prepare(`select 1 from sqlite_schema where name in (${tables})`).get()) return;
    throw new BackupError(`${file} is not a backup of this program`);
  } finally {
    database.close();
  }
}

/**
 * Locks the file exclusively and checkpoints its WAL.
 *
 * @throws {BackupError} if a different program has the file open
 */
function lock(path: string): () => void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    database.exec('pragma wal_checkpoint(truncate)');
  } catch (cause) {
    if (codeOf(cause) === SQLITE_BUSY) {
      database.close();
      throw new BackupError(`a program uses ${path}: stop it first`, { cause });
    }
    // A damaged file, which is to be replaced.
  }
  return () => database.close();
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

function removeSideFiles(path: string): void {
  for (const end of ['-wal', '-shm', '-unsent']) rmSync(path + end, { force: true });
}
