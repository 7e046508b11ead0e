import { copyFile, link, mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The ending of a file name while the file is being uploaded. */
const partialEnding = '.part';
const stagingPrefix = '.backup-';
/** The age at which folders count as abandoned. It exceeds the duration of any backup. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/**
 * Runs `work` with a new folder in `parent`, for files that must be on its disk, and then removes the folder. It also removes
 * folders that a killed process left a day ago. If `work` fails, empty folders that were created for it are removed, too.
 */
export async function withStaging<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const created = await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, stagingPrefix));
  try {
    return await work(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (created !== undefined) await removeEmpty(parent, created);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes empty folders, from `folder` up to `created`. */
async function removeEmpty(folder: string, created: string): Promise<void> {
  const removed = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (removed && resolve(folder) !== resolve(created)) await removeEmpty(dirname(folder), created);
}

/** Links all uploaded files into a second folder, where they stay when the originals are removed. */
export async function linkUploads(from: string, to: string): Promise<void> {
  for (const name of await listUploads(from)) await linkFile(join(from, name), join(to, name));
}

/** Lists the names of complete uploaded files. */
export async function listUploads(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((file) => file.isFile() && !file.name.endsWith(partialEnding))
    .map(({ name }) => name);
}

/** Links a file, or copies it if its file system has no links. A file that is removed meanwhile is left out. */
async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') return;
    await copyFile(from, to).catch(ignoreMissing);
  });
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const path of names
    .filter((name) => name.startsWith(stagingPrefix))
    .map((name) => join(parent, name))) {
    const stats = await stat(path).catch(ignoreMissing);
    if (stats && Date.now() - stats.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** Ignores a missing file, which never existed or was removed by a second program. @throws every other error */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
