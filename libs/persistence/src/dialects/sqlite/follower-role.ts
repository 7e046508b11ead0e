import { statSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The time after which a killed follower is succeeded, from its last read or from a program start. */
const SUCCESSION_MS = 30_000;

const pathOf = (database: string): string => `${database}-follower`;

/**
 * The role of the single program that follows the WAL of a database. The kernel releases the lock when the program ends, even
 * after a crash.
 */
export class FollowerRole {
  private readonly path: string;
  private readonly lock: DatabaseSync;

  private constructor(path: string, lock: DatabaseSync) {
    this.path = path;
    this.lock = lock;
  }

  /** @returns `undefined` if a different follower holds the role */
  static take(database: string): FollowerRole | undefined {
    const path = pathOf(database);
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
      return new FollowerRole(path, lock);
    } catch {
      lock.close();
      return undefined;
    }
  }

  /** Records the last WAL read's time, which decides whether a successor may take over. */
  noteReading(): void {
    const now = new Date();
    utimesSync(this.path, now, now);
  }

  close(): void {
    this.lock.close();
  }
}

/**
 * Whether a follower has ended and its successor may come. Until then programs must not checkpoint the WAL, because it would be
 * restarted before its rest is read.
 *
 * @param since when this program opened the database, in milliseconds since 1970
 */
export function isSuccessorDue(database: string, since: number): boolean {
  const readAt = statSync(pathOf(database), { throwIfNoEntry: false })?.mtimeMs;
  if (readAt === undefined || Date.now() - Math.max(readAt, since) > SUCCESSION_MS) return false;
  const role = FollowerRole.take(database);
  role?.close();
  return role !== undefined;
}
