import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { BackupError, restore } from '@app/persistence';
import { readArchive } from './archive';
import type { Identities } from './encryption';
import { type BackupPlace, entryNames, stagingOf } from './place';
import { ignoreMissing, withStaging } from './staging';
import { writeSynced } from './write-synced';

/** The folders into which an archive is unpacked, each on the disk to which its files go. */
export interface Unpacked {
  /** The folder for the file `store`, and for a file per key. */
  readonly folder: string;
  readonly uploads: string;
}

/**
 * Replaces the store and the key files by the backup's, and adds its uploaded files. The replaced files stay beside them with
 * the ending `.replaced`.
 *
 * @param place must not be used by a program
 * @throws {BackupError} if the backup is damaged, or a program uses the store; everything is unchanged then
 */
export async function restoreBackup(
  place: BackupPlace,
  archive: Readable,
  identities: Identities,
  prepare: (unpacked: Unpacked) => Promise<void> = async () => {},
): Promise<void> {
  await withStaging(stagingOf(place.db), (folder) =>
    withStaging(place.uploads, async (uploads) => {
      const manifest = await unpack(archive, identities, { folder, uploads });
      checkManifest(manifest, place);
      await prepare({ folder, uploads });
      // Files before the rows that name them: a restore that is interrupted is repeated.
      const present = new Set(await readdir(place.uploads));
      const added = (await readdir(uploads)).filter((name) => !present.has(name));
      for (const name of added) await rename(join(uploads, name), join(place.uploads, name));
      try {
        await restore(place.db, join(folder, entryNames.store));
      } catch (error) {
        for (const name of added) await rm(join(place.uploads, name), { force: true });
        throw error;
      }
      for (const name of await readdir(uploads)) await rename(join(uploads, name), join(place.uploads, name));
      await restoreKeys(folder, place.keys);
    }),
  );
}

/** Unpacks an archive. @returns the manifest @throws {BackupError} if the archive cannot be read */
function unpack(archive: Readable, identities: Identities, unpacked: Unpacked): Promise<unknown> {
  return readArchive(archive, identities, (name, content) => writeSynced(pathOf(name, unpacked), content));
}

/** Returns the path to which an entry is unpacked. @throws {BackupError} if the entry does not belong to a backup */
export function pathOf(name: string, { folder, uploads }: Unpacked): string {
  if (name.startsWith(entryNames.uploads)) return join(uploads, plainName(name, entryNames.uploads));
  return join(folder, name === entryNames.store ? name : `key-${plainName(name, entryNames.keys)}`);
}

/** Returns the plain name of an entry. A name that could be a path elsewhere is refused. */
function plainName(name: string, folder: string): string {
  const plain = name.slice(folder.length);
  if (name.startsWith(folder) && /^[\w-][\w.-]*$/.test(plain)) return plain;
  throw new BackupError('the archive is not a backup of this program');
}

/** Checks that a manifest fits the store. @throws {BackupError} if it is for a different program or database */
function checkManifest(manifest: unknown, { db }: BackupPlace): void {
  const { format, dialect } = Object(manifest);
  if (format !== 1) throw new BackupError('the archive is not a backup of this program');
  if (dialect !== db.dialect)
    throw new BackupError(`the backup is of ${dialect}, and ${db.place} is ${db.dialect}`);
}

/** Restores the key files by copying, because a key file may be on a different disk. Unchanged key files are left alone. */
async function restoreKeys(folder: string, keys: BackupPlace['keys']): Promise<void> {
  for (const [name, path] of Object.entries(keys)) {
    const content = await readFile(join(folder, `key-${name}`)).catch(ignoreMissing);
    const current = await readFile(path).catch(ignoreMissing);
    if (content === undefined || current?.equals(content)) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.restoring`, content, { mode: 0o600, flush: true });
    if (current) await rename(path, `${path}.replaced`);
    await rename(`${path}.restoring`, path);
  }
}
