import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sqliteFile } from '@app/persistence';
import { commandLine } from '@app/settings';

/** The start option that creates a new store although traces of an earlier store exist. */
export const newStoreOption = '--new-store';

/** The error for a missing SQLite file. It aborts a start or a command that would create an empty file in its place. */
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

/** The settings that say where a program keeps its files. */
export interface StorePlaces {
  readonly DATABASE_URL?: string;
  readonly UPLOAD_DIR?: string;
}

/**
 * Refuses to create a store where traces of an earlier store exist, because the old store may be deleted or its disk unmounted.
 * Call this before anything is created.
 *
 * @param args the command-line arguments; {@link newStoreOption} turns the check off
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

/** Requires an existing store. @throws {MissingStoreError} if the SQLite file is missing */
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

/** Returns the files in the upload folder, except the files that a backup keeps there for a while. */
function uploadsIn(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => !name.startsWith('.')).map((name) => join(folder, name));
}
