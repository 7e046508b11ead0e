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
 * Reads the secret that a file keeps, and makes the file first if there is none: 256 random bits in base64url,
 * readable by its owner alone. Programs that start together on one file get one secret.
 *
 * Synchronous, because it runs once, before anything listens.
 *
 * @returns the file's text without its line end
 * @throws SecretFileError if others can read the file, or the secret in it is unfit, or the file cannot be had
 */
export function keepSecret(path: string): string {
  try {
    return readSecret(path) ?? makeSecret(path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw new SecretFileError(path, 'cannot be read or made. Correct that, or set JWT_SECRET.', {
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

/** Rejected rather than mended: whoever could read it may have. Windows has no such modes. */
function checkPrivate(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
  throw new SecretFileError(
    path,
    'is open to other users of this machine. Remove it, so that a new one is made, or set JWT_SECRET; ' +
      'if nobody else can have read it, `chmod 600` will do.',
  );
}

function checked(path: string, secret: string): string {
  const weakness = weaknessOf(secret);
  if (weakness === undefined) return secret;
  throw new SecretFileError(path, `holds a secret that ${weakness}. Remove it, so that a new one is made.`);
}

/** A link is made whole or not at all, and never over another's: nobody reads half a secret, and the first wins. */
function makeSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    unless('EEXIST', () => linkSync(draft, path));
  } finally {
    unless('ENOENT', () => unlinkSync(draft));
  }
  return readSecret(path) ?? makeSecret(path);
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
