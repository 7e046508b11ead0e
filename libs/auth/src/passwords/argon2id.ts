import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** A password hash function. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Rejects if `encoded` is malformed. */
  verify(encoded: string, password: string): Promise<boolean>;
}

/** OWASP's recommended parameters for Argon2id: 19 MiB, two iterations, one lane; 8–9 ms on one core. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** Argon2id on the thread pool. */
export const argon2id: PasswordHasher = {
  hash: (password) => hash(password, COST),
  verify: (encoded, password) => verify(encoded, password),
};

/** Whether a hash has outdated parameters, so that the next sign-in should rehash the password. */
export function needsRehash(encoded: string): boolean {
  return !encoded.startsWith(PREFIX);
}

/** Whether the text is a well-formed Argon2id hash. */
export function isArgon2id(encoded: string): boolean {
  return /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(encoded);
}

/** A hash with the current parameters that matches no password; its bytes are random. */
export function dummyHash(): string {
  return `${PREFIX}${phcBytes(SALT_BYTES)}$${phcBytes(HASH_BYTES)}`;
}

/** Base64 without padding, as the PHC string format has it. */
function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '');
}
