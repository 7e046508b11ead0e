import { randomBytes } from 'node:crypto';

const PASSWORD_BYTES = 15;

/** Generates a password: 120 random bits as 20 base64url characters. */
export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
