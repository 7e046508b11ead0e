import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** The two operations of a password hash; a test brings its own. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Rejects if `encoded` cannot be read. */
  verify(encoded: string, password: string): Promise<boolean>;
}

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane; 8–9 ms on one core. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** Argon2id off the event loop. */
export const argon2id: PasswordHasher = {
  hash: (password) => hash(password, COST),
  verify: (encoded, password) => verify(encoded, password),
};

/** Whether a hash was made with other parameters than today's, so that the next sign-in should renew it. */
export function needsRehash(encoded: string): boolean {
  return !encoded.startsWith(PREFIX);
}

/** Whether this is an Argon2id hash at all. */
export function isArgon2id(encoded: string): boolean {
  return /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(encoded);
}

/** A hash of today's parameters that belongs to no password: its bytes are random, so making it costs nothing. */
export function hashOfNothing(): string {
  return `${PREFIX}${phcBytes(SALT_BYTES)}$${phcBytes(HASH_BYTES)}`;
}

/** The PHC string format writes base64 without padding. */
function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '');
}
