import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { backUp } from '@app/persistence';
import { type ArchiveEntry, writeArchive } from './archive';
import type { Recipients } from './encryption';
import { type BackupManifest, type BackupPlace, entryNames, stagingOf, type StreamStart } from './place';
import { ignoreMissing, linkUploads, withStaging } from './staging';

/** The options for a backup. */
export interface BackupOptions {
  /** The recipients of an encrypted backup; by default it is not encrypted. */
  readonly recipients?: Recipients;
  /** Called after the store is copied, and before the backup's moment is set. @returns the changes that follow the backup */
  readonly stored?: () => Promise<StreamStart>;
}

/**
 * Makes a backup while programs may use the store. It has the store's state at a moment, with every change acknowledged before
 * the call, the uploaded files at that moment, and the key files.
 *
 * @param deliver takes the archive to its end
 * @throws {BackupError} if it cannot be made, or any error that `deliver` throws
 */
export async function makeBackup(
  place: BackupPlace,
  { recipients = [], stored }: BackupOptions,
  deliver: (archive: Readable, at: Date, stream?: StreamStart) => Promise<void>,
): Promise<void> {
  await withStaging(stagingOf(place.db), (folder) =>
    withStaging(place.uploads, async (uploads) => {
      const store = join(folder, 'store');
      await linkUploads(place.uploads, uploads);
      await backUp(place.db, store);
      const stream = await stored?.();
      const at = new Date();
      // Files are written before their rows: those of the rows that were added meanwhile.
      await linkUploads(place.uploads, uploads);
      const manifest: BackupManifest = { format: 1, dialect: place.db.dialect, at: at.toISOString() };
      await deliver(writeArchive(entriesOf(store, uploads, place.keys), manifest, recipients), at, stream);
    }),
  );
}

async function* entriesOf(
  store: string,
  uploads: string,
  keys: BackupPlace['keys'],
): AsyncGenerator<ArchiveEntry> {
  yield* fileEntry(entryNames.store, store);
  yield* keyEntries(keys);
  for (const name of await readdir(uploads)) yield* fileEntry(entryNames.uploads + name, join(uploads, name));
}

/** Yields the key files that exist. */
export async function* keyEntries(keys: BackupPlace['keys']): AsyncGenerator<ArchiveEntry> {
  for (const [name, path] of Object.entries(keys)) yield* fileEntry(entryNames.keys + name, path);
}

/** Yields an entry for a file, if it exists. */
export async function* fileEntry(name: string, path: string): AsyncGenerator<ArchiveEntry> {
  const stats = await stat(path).catch(ignoreMissing);
  if (stats) yield { name, bytes: stats.size, open: () => createReadStream(path) };
}
