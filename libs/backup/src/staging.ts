import { copyFile, link, mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The end of the name of a file that is being uploaded. */
const partialEnding = '.part';
const stagingPrefix = '.backup-';
/** Longer than any backup takes. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/**
 * Runs `work` with a new folder in `parent`, for files that must be on its disk, and removes the folder; also those that a killed
 * process left a day ago. If `work` fails, folders that were created for it and are empty are removed, too.
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

/** Removes a folder and those above it, up to the first that was created, while they are empty. */
async function removeEmpty(folder: string, created: string): Promise<void> {
  const removed = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (removed && resolve(folder) !== resolve(created)) await removeEmpty(dirname(folder), created);
}

/** Gives all uploaded files of a folder a second name in another: one that is removed later is still there. */
export async function linkUploads(from: string, to: string): Promise<void> {
  for (const name of await listUploads(from)) await linkFile(join(from, name), join(to, name));
}

/** The names of uploaded files, without those that are being uploaded. */
export async function listUploads(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { withFileTypes: true });
  return found.filter((file) => file.isFile() && !file.name.endsWith(partialEnding)).map(({ name }) => name);
}

/** A file that is removed meanwhile is left out; one without links on its file system is copied. */
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
    const found = await stat(path).catch(ignoreMissing);
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** For what may be removed by another program meanwhile, or was never there. @throws any other error */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
