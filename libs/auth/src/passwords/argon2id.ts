import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { cost } from './argon2id-cost';
import { nodeArgon2id } from './node-argon2id';
import type { PasswordHasher } from './password-hasher';
import { hashBytes, prefix, saltBytes, toPhc } from './phc';

/** The Argon2id implementation, which runs on the thread pool. */
export const argon2id: PasswordHasher = nativeArgon2id() ?? nodeArgon2id;

/** Whether the binary for this system was loaded. Node itself computes the same hashes in 2.6 times the CPU time. */
export const isArgon2idNative = argon2id !== nodeArgon2id;

/** @returns `undefined` on a system for which there is no binary */
function nativeArgon2id(): PasswordHasher | undefined {
  const { hash, verify } = loadBinary() ?? {};
  if (hash === undefined || verify === undefined) return undefined;
  return {
    hash: (password) => hash(password, cost),
    verify: (encoded, password) => verify(encoded, password),
  };
}

/** The package throws when it is loaded, with the path of every binary that it looked for. */
function loadBinary(): typeof import('@node-rs/argon2') | undefined {
  try {
    return createRequire(__filename)('@node-rs/argon2');
  } catch {
    return undefined;
  }
}

/** Returns whether a hash has outdated parameters, so that the next sign-in should rehash the password. */
export function needsRehash(encoded: string): boolean {
  return !encoded.startsWith(prefix);
}

/** Returns whether the text is a well-formed Argon2id hash. */
export function isArgon2id(encoded: string): boolean {
  return /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(encoded);
}

/** A hash with the current parameters that matches no password; its bytes are random. */
export function dummyHash(): string {
  return `${prefix}${toPhc(randomBytes(saltBytes))}$${toPhc(randomBytes(hashBytes))}`;
}
