import { randomBytes } from 'node:crypto';

const PASSWORD_BYTES = 15;

/** A generated password: 120 random bits in 20 characters of base64url. */
export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
