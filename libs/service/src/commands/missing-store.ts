import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sqliteFile } from '@app/persistence';
import { commandLine } from '@app/settings';

/** The option of a start that creates a store where another one is missed. */
export const newStoreOption = '--new-store';

/** The SQLite file is missing. Aborts a start or a command that would create an empty file in its place. */
export class MissingStoreError extends Error {
  override readonly name = 'MissingStoreError';

  /** @param trace a file that a program with that database has created */
  constructor(file: string, trace: string | undefined) {
    super(
      trace === undefined
        ? `there is no ${resolve(file)}. Correct DATABASE_URL, mount the disk, or restore a backup; ${commandLine(['migrate'])} creates an empty database.`
        : `there is no ${resolve(file)}, but ${resolve(trace)}, which a program with that database has created. ` +
            `Put the file back, or restore a backup; to begin with an empty database, start once with ${newStoreOption}.`,
    );
  }
}

/** The settings that say where a program has its files. */
export interface StorePlaces {
  readonly DATABASE_URL?: string;
  readonly UPLOAD_DIR?: string;
}

/**
 * To be called before anything is created: a store that was deleted, or is on a disk that is not mounted, is not taken for a
 * new one.
 *
 * @param args of the command line; with {@link newStoreOption} nothing is refused
 * @throws {MissingStoreError} if the SQLite file is missing, and its secret, its WAL or uploads are there
 */
export function refuseMissingStore(
  { DATABASE_URL = '', UPLOAD_DIR }: StorePlaces,
  args: readonly string[] = process.argv.slice(2),
): void {
  const file = missingFile(DATABASE_URL);
  if (file === undefined || args.includes(newStoreOption)) return;
  const trace = traceOf(file, UPLOAD_DIR);
  if (trace !== undefined) throw new MissingStoreError(file, trace);
}

/** @throws {MissingStoreError} if the SQLite file is missing */
export function requireStore({ DATABASE_URL = '', UPLOAD_DIR }: StorePlaces): void {
  const file = missingFile(DATABASE_URL);
  if (file !== undefined) throw new MissingStoreError(file, traceOf(file, UPLOAD_DIR));
}

function missingFile(url: string): string | undefined {
  const file = sqliteFile(url);
  return file === undefined || existsSync(file) ? undefined : file;
}

function traceOf(file: string, uploads: string | undefined): string | undefined {
  const traces = [join(dirname(file), 'jwt-secret'), `${file}-wal`, ...uploadsIn(uploads)];
  return traces.find((path) => existsSync(path));
}

/** Without what a backup keeps there for a while. */
function uploadsIn(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => !name.startsWith('.')).map((name) => join(folder, name));
}
