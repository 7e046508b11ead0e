import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sqliteFile } from '@app/persistence';

/** The option of a start that creates a store where another one is missed. */
export const newStoreOption = '--new-store';

/** A SQLite file is missing that a program has had before. Aborts the start, which would create an empty one. */
export class MissingStoreError extends Error {
  override readonly name = 'MissingStoreError';

  /** @param trace what is there of it */
  constructor(file: string, trace: string) {
    super(
      `there is no ${resolve(file)}, but ${resolve(trace)}, which a program with that database has created. ` +
        `Put the file back, or restore a backup; to begin with an empty database, start once with ${newStoreOption}.`,
    );
  }
}

/** The settings that say where a program has its files. */
interface Places {
  readonly DATABASE_URL?: string;
  readonly UPLOAD_DIR: string;
}

/**
 * To be called before anything is created: a store that was deleted, or is on a disk that is not mounted, is not taken for a
 * new one.
 *
 * @param args of the command line; with {@link newStoreOption} nothing is refused
 * @throws {MissingStoreError} if the SQLite file is missing, and its secret, its WAL or uploads are there
 */
export function refuseMissingStore(
  { DATABASE_URL = '', UPLOAD_DIR }: Places,
  args: readonly string[] = process.argv.slice(2),
): void {
  const file = sqliteFile(DATABASE_URL);
  if (file === undefined || existsSync(file) || args.includes(newStoreOption)) return;
  const traces = [join(dirname(file), 'jwt-secret'), `${file}-wal`, ...uploadsIn(UPLOAD_DIR)];
  const trace = traces.find((path) => existsSync(path));
  if (trace !== undefined) throw new MissingStoreError(file, trace);
}

/** Without what a backup keeps there for a while. */
function uploadsIn(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => !name.startsWith('.')).map((name) => join(folder, name));
}
