import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreFaultError } from '../../errors';

/** The size limit for a check at start, which takes some 10 ms a MiB. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * The size limit if a WAL exists. A leftover WAL may belong to a different file, which SQLite cannot detect, so a longer check
 * is justified.
 */
const MAX_BYTES_WITH_WAL = 512 * 1024 * 1024;

/**
 * Checks a SQLite file's structure, with the WAL beside it, and changes neither. A missing file is valid.
 *
 * @param maxBytes the largest size to check; by default 64 MiB, and 512 MiB with a WAL beside the file
 * @returns whether the file was checked
 * @throws {StoreFaultError} if the file is damaged
 */
export function quickCheck(path: string, maxBytes?: number): boolean {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const hasWal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (bytes > (maxBytes ?? (hasWal ? MAX_BYTES_WITH_WAL : MAX_BYTES))) return false;
  const problem = existsSync(path) ? firstProblem(path) : undefined;
  if (problem !== undefined) throw damaged(path, problem, hasWal);
  return true;
}

/** Checks through a read-only connection. A writable connection would, on close, checkpoint a foreign WAL into this file. */
function firstProblem(path: string): string | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const { quick_check: result } = database.prepare('pragma quick_check(1)').get() ?? {};
    return result === 'ok' ? undefined : String(result);
  } catch (error) {
    return String(error);
  } finally {
    database.close();
  }
}

function damaged(path: string, problem: string, hasWal: boolean): StoreFaultError {
  const advice = hasWal
    ? `${path}-wal may belong to another file: if a backup was copied over this one, delete ${path}-wal and ${path}-shm and copy it again`
    : 'restore a backup';
  return new StoreFaultError(`the database file is damaged (${problem.split('\n', 1)[0]}); ${advice}`);
}
