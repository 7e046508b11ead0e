import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { KeyFileError } from '../errors';
import {
  createPrivateFile,
  PublicFileError,
  readPrivateFile,
  replacePrivateFile,
} from '../secrets/private-file';
import type { TokenAlgorithm } from '../tokens/algorithms';
import { MIN_SECRET_BYTES, type Secret, secretKey, type SigningKey } from '../tokens/token-key';
import { readKeySet, signingKeyOf, writeKeySet } from './key-set';

/** The file with the token keys. */
export interface KeyFile {
  readonly path: string;
  /** The algorithm for the key that is created if the file is missing. */
  readonly algorithm: TokenAlgorithm;
}

/**
 * Reads the keys from a file, or creates the file with a single key and mode 600. Processes that start concurrently get the same
 * key.
 *
 * @param secret the first key of a new HS256 file, so that tokens it signed stay valid
 * @throws KeyFileError if other users can read the file, or if reading or creating it fails
 */
export async function loadOrCreateKeys(
  { path, algorithm }: KeyFile,
  secret: Secret,
): Promise<readonly SigningKey[]> {
  const existing = await readKeys(path);
  if (existing !== undefined) return existing;
  const key = algorithm === 'HS256' ? secretKey(secret) : await makeKey(algorithm);
  const text = await writeKeySet([key]);
  reporting(path, () => createPrivateFile(path, text));
  return loadOrCreateKeys({ path, algorithm }, secret);
}

/**
 * @returns `undefined` if there is no file
 * @throws KeyFileError
 */
export async function readKeys(path: string): Promise<readonly SigningKey[] | undefined> {
  const text = reporting(path, () => readPrivateFile(path));
  if (text === undefined) return undefined;
  try {
    return await readKeySet(text);
  } catch (error) {
    throw new KeyFileError(path, error instanceof TypeError ? error.message : 'cannot be read', {
      cause: error,
    });
  }
}

/** Replaces the keys of a file. */
export async function replaceKeys(path: string, keys: readonly SigningKey[]): Promise<void> {
  const text = await writeKeySet(keys);
  reporting(path, () => replacePrivateFile(path, text));
}

/** Makes a random key. */
export async function makeKey(algorithm: TokenAlgorithm): Promise<SigningKey> {
  if (algorithm === 'HS256') return secretKey(randomBytes(MIN_SECRET_BYTES));
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  return signingKeyOf(privateKey);
}

function reporting<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const fault =
      cause instanceof PublicFileError
        ? 'can be read by other users of this machine; if none can have read it, `chmod 600` is enough'
        : 'cannot be read or written';
    throw new KeyFileError(path, fault, { cause });
  }
}
