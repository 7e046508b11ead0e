import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * Reads a file that only its owner can read. On Windows, the mode is not checked.
 *
 * @returns `undefined` if the file is missing
 * @throws PublicFileError if other users can read the file; the mode stays, since they may have read it already
 */
export function readPrivateFile(path: string): string | undefined {
  const file = unless('ENOENT', () => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & OTHERS) !== 0) throw new PublicFileError();
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Other users can read the file. */
export class PublicFileError extends Error {
  override readonly name = 'PublicFileError';
}

/**
 * Creates a file with mode 600, unless it exists. A reader only sees the complete text. If several processes create it at once,
 * the first file stays.
 *
 * `link` is atomic and never overwrites.
 */
export function createPrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  inDraft(path, text, (draft) => unless('EEXIST', () => linkSync(draft, path)));
}

/** Replaces a file and sets mode 600. A reader sees the complete text before or after the change. */
export function replacePrivateFile(path: string, text: string): void {
  inDraft(path, text, (draft) => renameSync(draft, path));
}

function inDraft(path: string, text: string, place: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeDurably(draft, text);
    place(draft);
  } finally {
    unless('ENOENT', () => unlinkSync(draft));
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', OWNER_ONLY);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function unless<T>(code: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}
