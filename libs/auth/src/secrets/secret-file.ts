import { randomBytes } from 'node:crypto';
import { SecretFileError } from '../errors';
import { createPrivateFile, PublicFileError, readPrivateFile } from './private-file';
import { weaknessOf } from './weakness';

const SECRET_BYTES = 32;

/**
 * Reads a secret from a file, or creates the file with 256 random bits in base64url and mode 600. Processes that start
 * concurrently get the same secret.
 *
 * It is synchronous, because it runs once at startup.
 *
 * @returns the file's text, except the trailing newline
 * @throws SecretFileError if other users can read the file, if its secret is weak, or if reading or creating it fails
 */
export function loadOrCreateSecret(path: string): string {
  try {
    return readSecret(path) ?? createSecret(path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw new SecretFileError(path, faultOf(error), { cause: error });
  }
}

function readSecret(path: string): string | undefined {
  const text = readPrivateFile(path);
  return text === undefined ? undefined : checked(path, text.replace(/\r?\n$/, ''));
}

function faultOf(error: unknown): string {
  return error instanceof PublicFileError
    ? 'can be read by other users of this machine. Remove it, so that a new one is created, or set JWT_SECRET; ' +
        'if no other user can have read it, `chmod 600` is enough.'
    : 'cannot be read or created. Correct that, or set JWT_SECRET.';
}

function checked(path: string, secret: string): string {
  const weakness = weaknessOf(secret);
  if (weakness === undefined) return secret;
  throw new SecretFileError(
    path,
    `contains a secret that ${weakness}. Remove it, so that a new one is created.`,
  );
}

function createSecret(path: string): string {
  createPrivateFile(path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  return readSecret(path) ?? createSecret(path);
}
