import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Destination } from './destination';
import { ignoreMissing } from './staging';
import { writeSynced } from './write-synced';

const partialEnding = '.part';

/** A folder, created if it does not exist. Only the program's user can read it. */
export class FolderDestination implements Destination {
  constructor(readonly place: string) {}

  async list(prefix: string): Promise<readonly string[]> {
    const entries = await readdir(this.place, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
    return (entries ?? [])
      .filter((file) => file.isFile() && !file.name.endsWith(partialEnding))
      .map((file) => relative(this.place, join(file.parentPath, file.name)))
      .filter((name) => name.startsWith(prefix))
      .toSorted();
  }

  async write(name: string, content: Readable): Promise<void> {
    const path = join(this.place, name);
    const partial = `${path}.${randomUUID()}${partialEnding}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeSynced(partial, content, 'wx');
      await rename(partial, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async read(name: string): Promise<Readable> {
    return (await open(join(this.place, name))).createReadStream();
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.place, name), { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
