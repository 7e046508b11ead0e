import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { refuseUnwritable } from '@app/service';
import { UploadStore } from './upload-store';

/** What a stream of a file would read ahead in any case. */
const smallBytes = 64 * 1024;
const keyForm = /^[\da-f-]{36}$/;
/** How the name of a file ends that is being uploaded. */
const partialEnding = '.part';
/** Longer than any upload takes. */
const abandonedAfterMs = 2 * 60 * 60 * 1000;

/** Keeps uploaded files in a folder, under random names. Programs on several machines need a folder that they share. */
export class DiskUploads extends UploadStore {
  constructor(private readonly folder: string) {
    super();
  }

  /** Removes what a process that was killed has left of uploads. @throws {SettingsError} if files cannot be written there */
  override async prepare(): Promise<void> {
    await refuseUnwritable('UPLOAD_DIR', this.folder);
    const names = existsSync(this.folder) ? await readdir(this.folder) : [];
    const partial = names
      .filter((name) => name.endsWith(partialEnding))
      .map((name) => join(this.folder, name));
    await Promise.all(partial.map(removeAbandoned));
  }

  override async write(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const key = randomUUID();
    const path = this.pathOf(key);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    try {
      await writeThrough(path + partialEnding, bytes);
      await rename(path + partialEnding, path);
      await syncFolder(this.folder);
      return key;
    } catch (error) {
      await rm(path + partialEnding, { force: true });
      throw error;
    }
  }

  override async read(key: string): Promise<Readable | undefined> {
    try {
      return await readOpen(await open(this.pathOf(key)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
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

/** A small file is read at once: a client that does not read its response keeps no descriptor open. */
async function readOpen(file: FileHandle): Promise<Readable> {
  const { size } = await file.stat();
  if (size > smallBytes) return file.createReadStream();
  try {
    return Readable.from([await file.readFile()]);
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
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
  if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
}
