import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SecretFileError } from '../errors';
import { weaknessOf } from './weakness';

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * Reads a secret from a file, or creates the file with 256 random bits in base64url and mode 600. Processes that start
 * concurrently get the same secret.
 *
 * Synchronous, because it runs once, at startup.
 *
 * @returns the text of the file without the trailing newline
 * @throws SecretFileError if others can read the file, its secret is weak, or it cannot be read or created
 */
export function loadOrCreateSecret(path: string): string {
  try {
    return readSecret(path) ?? createSecret(path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw new SecretFileError(path, 'cannot be read or created. Correct that, or set JWT_SECRET.', {
      cause: error,
    });
  }
}

function readSecret(path: string): string | undefined {
  const file = unless('ENOENT', () => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    checkPrivate(path, fstatSync(file).mode);
    return checked(path, readFileSync(file, 'utf8').replace(/\r?\n$/, ''));
  } finally {
    closeSync(file);
  }
}

/** Rejected rather than corrected, since others may have read it. Windows has no such modes. */
function checkPrivate(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
  throw new SecretFileError(
    path,
    'can be read by other users of this machine. Remove it, so that a new one is created, or set JWT_SECRET; ' +
      'if no other user can have read it, `chmod 600` is enough.',
  );
}

function checked(path: string, secret: string): string {
  const weakness = weaknessOf(secret);
  if (weakness === undefined) return secret;
  throw new SecretFileError(
    path,
    `contains a secret that ${weakness}. Remove it, so that a new one is created.`,
  );
}

/** `link` is atomic and never overwrites: no process reads a partial secret, and the first one wins. */
function createSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    unless('EEXIST', () => linkSync(draft, path));
  } finally {
    unless('ENOENT', () => unlinkSync(draft));
  }
  return readSecret(path) ?? createSecret(path);
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
