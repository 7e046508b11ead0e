import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreFaultError } from '../../errors';

/** An opened file's path state; `unreachable` if the path cannot be inspected or is on a different file system. */
type FileState = 'there' | 'missing' | 'replaced' | 'unreachable';

const happened: Readonly<Record<Exclude<FileState, 'there'>, string>> = {
  missing: 'was deleted or moved while in use',
  replaced: 'was replaced while in use',
  unreachable: 'is on a file system that is gone',
};

/**
 * Identifies the opened database file and WAL by device and inode. SQLite does not detect that they were deleted, replaced or
 * moved, and continues with files that the next start will miss.
 */
export class FileIdentity {
  /** The path, with symbolic links resolved. */
  readonly path: string;
  private readonly device: bigint | undefined;
  private readonly file: string | undefined;
  private wal: string | undefined;

  /** Records the file. Create it when the file was opened for the first time. */
  constructor(path: string) {
    this.path = realpathSync(path);
    this.file = identityOf(this.path);
    this.device = statOf(dirname(this.path))?.dev;
    this.rememberWal();
  }

  /**
   * Records the current WAL. Call it after reopening a file that had no open connections, because the last connection to close
   * removes the WAL.
   */
  rememberWal(): void {
    this.wal = identityOf(`${this.path}-wal`);
  }

  /** Whether the opened file is at its path. */
  get isThere(): boolean {
    return this.state === 'there';
  }

  /**
   * Checks that the opened file is at its path.
   *
   * @param isOpen whether the program has connections to the file
   * @throws {StoreFaultError} with the problem, and how an operator saves the data that the program has open
   */
  checkFile(isOpen: boolean): void {
    const { path, state } = this;
    if (state === 'there') return;
    const remedy = isOpen ? this.remedy(state) : 'put it back, or restore a backup';
    throw new StoreFaultError(`${path} ${happened[state]}: ${remedy}`);
  }

  private get state(): FileState {
    try {
      const stat = statOf(this.path);
      if (stat) return nameOf(stat) === this.file ? 'there' : 'replaced';
      return this.isMounted() ? 'missing' : 'unreachable';
    } catch {
      return 'unreachable';
    }
  }

  /** @throws {StoreFaultError} if the WAL was replaced since it was opened */
  checkWal(): void {
    const wal = `${this.path}-wal`;
    if (identityOf(wal) === this.wal) return;
    throw new StoreFaultError(`${wal} was deleted or replaced while in use: restart the program`);
  }

  private remedy(state: Exclude<FileState, 'there'>): string {
    if (state === 'unreachable')
      return 'mount it again, and do not stop the program before, which has all acknowledged writes';
    const opened = this.descriptor();
    if (state === 'replaced')
      return `${opened ? `copy ${opened}, which has all acknowledged writes, then ` : ''}restart the program to use the new file`;
    return opened
      ? `move it back, or run "cp ${opened} ${this.path}" before you stop the program, and then restart it`
      : 'move it back, or restore a backup';
  }

  /** Returns a path for the open file that works without its name, until the program ends. Linux has such paths. */
  private descriptor(): string | undefined {
    try {
      const number = readdirSync('/proc/self/fd').find(
        (fd) => identityOf(`/proc/self/fd/${fd}`) === this.file,
      );
      return number && `/proc/${process.pid}/fd/${number}`;
    } catch {
      return undefined;
    }
  }

  /** Returns whether the path still leads to the original file system. */
  private isMounted(): boolean {
    let folder = dirname(this.path);
    while (statOf(folder) === undefined) folder = dirname(folder);
    return statOf(folder)?.dev === this.device;
  }
}

/** Returns the device and inode; `undefined` if the file is missing or unreachable. */
function identityOf(path: string): string | undefined {
  try {
    const stat = statOf(path);
    return stat && nameOf(stat);
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
