import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { UploadStore } from './upload-store';

const keyForm = /^[\da-f-]{36}$/;
const PARTIAL = '.part';
/** Longer than any upload takes. */
const ABANDONED_AFTER_MS = 2 * 60 * 60 * 1000;

/** Keeps uploaded files in a folder, under random names. Programs on several machines need a folder that they share. */
export class DiskUploads extends UploadStore {
  constructor(private readonly folder: string) {
    super();
  }

  /** Removes what a process that was killed has left of uploads. */
  override async prepare(): Promise<void> {
    const names = existsSync(this.folder) ? await readdir(this.folder) : [];
    const partial = names.filter((name) => name.endsWith(PARTIAL)).map((name) => join(this.folder, name));
    await Promise.all(partial.map(removeAbandoned));
  }

  override async write(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const key = randomUUID();
    const path = this.pathOf(key);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    try {
      await writeThrough(path + PARTIAL, bytes);
      await rename(path + PARTIAL, path);
      await syncFolder(this.folder);
      return key;
    } catch (error) {
      await rm(path + PARTIAL, { force: true });
      throw error;
    }
  }

  override read(key: string): Readable {
    return createReadStream(this.pathOf(key));
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  /** @throws TypeError for a key that is not one of this store, which could name another file */
  private pathOf(key: string): string {
    if (!keyForm.test(key)) throw new TypeError('this is not the key of an uploaded file');
    return join(this.folder, key);
  }
}

async function writeThrough(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Otherwise a power failure may lose the name of the file. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Another program may be writing a younger one. */
async function removeAbandoned(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
}
