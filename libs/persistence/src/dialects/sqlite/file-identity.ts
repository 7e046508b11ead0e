import { statSync } from 'node:fs';
import { StoreFaultError } from '../../errors';

/**
 * Identifies the opened database file and WAL by device and inode. SQLite does not detect that they were deleted,
 * replaced or moved: it continues with files that the next start does not find.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #file: string | undefined;
  #wal: string | undefined;

  /** To be created when the file was opened for the first time. */
  constructor(path: string) {
    this.#path = path;
    this.#file = identityOf(path);
    this.rememberWal();
  }

  /** To be called when a file without open connections was opened again: the last one to close removes the WAL. */
  rememberWal(): void {
    this.#wal = identityOf(this.#walPath);
  }

  /** @throws {StoreFaultError} if the path no longer names the file that was opened */
  checkFile(): void {
    if (identityOf(this.#path) === this.#file) return;
    throw new StoreFaultError(
      `${this.#path} was deleted, replaced or moved while in use: stop the program and put the file back, or restore a backup`,
    );
  }

  /** @throws {StoreFaultError} if the file or its WAL is no longer the one that was opened */
  check(): void {
    this.checkFile();
    if (identityOf(this.#walPath) === this.#wal) return;
    throw new StoreFaultError(`${this.#walPath} was deleted or replaced while in use: restart the program`);
  }

  get #walPath(): string {
    return `${this.#path}-wal`;
  }
}

/** `undefined` if there is no such file, or it cannot be reached. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined;
  }
}
