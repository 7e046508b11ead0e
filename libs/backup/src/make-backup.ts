import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { backUp } from '@app/persistence';
import { type ArchiveEntry, writeArchive } from './archive';
import type { Recipients } from './encryption';
import { type BackupManifest, type BackupPlace, entryNames, stagingOf, type StreamStart } from './place';
import { ignoreMissing, linkUploads, withStaging } from './staging';

/** How a backup is made. */
export interface BackupOptions {
  /** Default: it is not encrypted. */
  readonly recipients?: Recipients;
  /** Called between the copy of the store and the moment that the backup is said to be of. @returns the changes that follow it */
  readonly stored?: () => Promise<StreamStart>;
}

/**
 * Makes a backup while programs may use the store: its state at one moment, with all that was acknowledged before the call, the
 * uploaded files of that moment, and the key files.
 *
 * @param deliver takes the archive to its end
 * @throws {BackupError} if it cannot be made, or what `deliver` throws
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

/** Those that exist. */
export async function* keyEntries(keys: BackupPlace['keys']): AsyncGenerator<ArchiveEntry> {
  for (const [name, path] of Object.entries(keys)) yield* fileEntry(entryNames.keys + name, path);
}

/** None if it does not exist. */
export async function* fileEntry(name: string, path: string): AsyncGenerator<ArchiveEntry> {
  const found = await stat(path).catch(ignoreMissing);
  if (found) yield { name, bytes: found.size, open: () => createReadStream(path) };
}
