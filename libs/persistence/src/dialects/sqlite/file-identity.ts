import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreFaultError } from '../../errors';

/** What the path of an opened file names now; `unreachable` if it cannot be looked at, or is on another file system. */
export type FileState = 'there' | 'missing' | 'replaced' | 'unreachable';

/**
 * Identifies the opened database file and WAL by device and inode. SQLite does not detect that they were deleted,
 * replaced or moved: it continues with files that the next start does not find.
 */
export class FileIdentity {
  /** Without symbolic links. */
  readonly path: string;
  private readonly device: bigint | undefined;
  private file: string | undefined;
  private wal: string | undefined;
  private shm: string | undefined;

  /** To be created when the file was opened for the first time. */
  constructor(path: string) {
    this.path = realpathSync(path);
    this.file = identityOf(this.path);
    this.device = statOf(dirname(this.path))?.dev;
    this.rememberWal();
  }

  /** To be called when a file without open connections was opened again: the last one to close removes the WAL. */
  rememberWal(): void {
    this.wal = identityOf(`${this.path}-wal`);
    this.shm = identityOf(`${this.path}-shm`);
  }

  /** To be called when a copy of the file takes its place. @param file as {@link identityOf} names it */
  become(file: string): void {
    this.file = file;
  }

  get state(): FileState {
    try {
      const found = statOf(this.path);
      if (found) return nameOf(found) === this.file ? 'there' : 'replaced';
      return this.isMounted() ? 'missing' : 'unreachable';
    } catch {
      return 'unreachable';
    }
  }

  /** The paths at which its own WAL and the index of that still are. */
  get sideFiles(): readonly string[] {
    const remembered = { '-wal': this.wal, '-shm': this.shm };
    return Object.entries(remembered)
      .map(([end, identity]) => ({ path: this.path + end, identity }))
      .filter(({ path, identity }) => identity !== undefined && identityOf(path) === identity)
      .map(({ path }) => path);
  }

  /** @throws {StoreFaultError} if its WAL is no longer the one that was opened */
  checkWal(): void {
    const wal = `${this.path}-wal`;
    if (identityOf(wal) === this.wal) return;
    throw new StoreFaultError(`${wal} was deleted or replaced while in use: restart the program`);
  }

  /** Whether what is written at its path is on the file system where it was. */
  private isMounted(): boolean {
    let folder = dirname(this.path);
    while (statOf(folder) === undefined) folder = dirname(folder);
    return statOf(folder)?.dev === this.device;
  }
}

/** Device and inode; `undefined` if there is no such file, or it cannot be reached. */
export function identityOf(path: string): string | undefined {
  try {
    const found = statOf(path);
    return found && nameOf(found);
  } catch {
    return undefined;
  }
}

function statOf(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function nameOf({ dev, ino }: Record<'dev' | 'ino', bigint>): string {
  return `${dev}:${ino}`;
}
