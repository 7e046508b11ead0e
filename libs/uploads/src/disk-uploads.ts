import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { refuseUnwritable } from '@app/service';
import { UploadStore } from './upload-store';

/** The bytes that a file stream would read ahead in any case. */
const smallBytes = 64 * 1024;
const keyForm = /^[\da-f-]{36}$/;
/** The ending of a file name while the file is being uploaded. */
const partialEnding = '.part';
/** The age at which files count as abandoned. It exceeds the duration of any upload. */
const abandonedAfterMs = 2 * 60 * 60 * 1000;

/** Keeps uploaded files in a folder, under random names. Programs on several machines need a shared folder. */
export class DiskUploads extends UploadStore {
  constructor(private readonly folder: string) {
    super();
  }

  /** Removes partial files that killed processes have left. @throws {SettingsError} if files cannot be written there */
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

  /** Returns the path for a key. @throws TypeError for a key in a different form, which could name an unrelated file */
  private pathOf(key: string): string {
    if (!keyForm.test(key)) throw new TypeError('this is not the key of an uploaded file');
    return join(this.folder, key);
  }
}

/** Opens a file. A small file is read at once, so that a client that stops reading its response keeps no descriptor open. */
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

/** Writes a folder to the disk, because otherwise a power failure may lose a new file's name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a partial file, unless it is so young that a second program may still write it. */
async function removeAbandoned(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
}
