import { domainToASCII } from 'node:url';

/** The maximum length in characters, by RFC 5321 §4.5.3.1. */
const maxLength = 320;
/** Matches text in which normalization and UTS 46 change nothing but the case. */
const isAscii = /^[\x20-\x7e]*$/;
/** Matches text that is not a host, because the URL parser would cut or decode it. */
const hasDelimiter = /[\0-,/:-@[-`{-\x7f]/;

/**
 * Returns an e-mail's normal form, by which accounts are compared. The local part follows RFC 8265 §3.3 for usernames (width,
 * case, NFC), but with case folding, which merges more than lower case. The domain follows UTS 46. The function is idempotent.
 *
 * @returns `undefined` for text that cannot be an account's e-mail
 */
export function emailKey(email: string): string | undefined {
  if (email.length > maxLength || email.includes('\0') || !email.isWellFormed()) return undefined;
  if (isAscii.test(email)) return email.toLowerCase();
  const at = email.lastIndexOf('@') + 1;
  const key = folded(email.slice(0, at)) + domainKey(email.slice(at));
  // A composition may remove a delimiter from the domain, and a narrow letter may be a delimiter.
  return key === email ? key : emailKey(key);
}

/** Returns the normal form of a domain. An invalid domain is compared like a local part. */
function domainKey(domain: string): string {
  const ascii = hasDelimiter.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded(domain) : ascii;
}

/**
 * Folds the case letter by letter, because the lower case of a sigma depends on its neighbours. Repeats this, because a
 * composition may have a case.
 */
function folded(text: string): string {
  const narrow = text.replaceAll(/[\uff01-\uffee\u3000]/g, (wide) => wide.normalize('NFKC'));
  const once = Array.from(narrow.normalize('NFC'), (letter) => letter.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFC');
  return once === text ? text : folded(once);
}
