/** Maximum by RFC 5321 §4.5.3.1, in characters. */
const maxLength = 320;

/**
 * Normalizes an e-mail for comparison, by Unicode NFC and lower case (D10).
 *
 * @returns `undefined` for text that cannot be the e-mail of an account
 */
export function emailKey(email: string): string | undefined {
  if (email.length > maxLength || email.includes('\0') || !email.isWellFormed()) return undefined;
  return email.normalize('NFC').toLowerCase();
}
