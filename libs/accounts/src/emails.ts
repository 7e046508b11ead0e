/** The longest address that RFC 5321 §4.5.3.1 lets through, in characters. */
const maxLength = 320;

/**
 * Makes the form of an e-mail by which accounts are told apart: the case of letters and the
 * way Unicode composes them do not matter (D10).
 *
 * @returns the key, or `undefined` for a text that can be no account's e-mail
 */
export function emailKey(email: string): string | undefined {
  if (email.length > maxLength || email.includes('\0') || !email.isWellFormed()) return undefined;
  return email.normalize('NFC').toLowerCase();
}
