import { domainToASCII } from 'node:url';

/** Maximum by RFC 5321 §4.5.3.1, in characters. */
const maxLength = 320;
/** What neither normalization nor UTS 46 changes but for its case. */
const isAscii = /^[\x20-\x7e]*$/;
/** Not a host: the parser of URLs would take a part of it, or decode it. */
const hasDelimiter = /[\0-,/:-@[-`{-\x7f]/;

/**
 * The normal form of an e-mail, by which accounts are compared: the local part as RFC 8265 §3.3 has it for usernames (width, case, NFC),
 * with case folding, which merges more than lower case; the domain by UTS 46. Idempotent.
 *
 * @returns `undefined` for text that cannot be the e-mail of an account
 */
export function emailKey(email: string): string | undefined {
  if (email.length > maxLength || email.includes('\0') || !email.isWellFormed()) return undefined;
  if (isAscii.test(email)) return email.toLowerCase();
  const at = email.lastIndexOf('@') + 1;
  const key = folded(email.slice(0, at)) + domainKey(email.slice(at));
  // A composition may remove a delimiter of the domain, and a narrow letter may be one.
  return key === email ? key : emailKey(key);
}

/** A domain that is invalid is compared like a local part. */
function domainKey(domain: string): string {
  const ascii = hasDelimiter.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded(domain) : ascii;
}

/** Letter by letter: the lower case of a sigma depends on its neighbours. Repeated, because a composition may have a case. */
function folded(text: string): string {
  const narrow = text.replaceAll(/[\uff01-\uffee\u3000]/g, (wide) => wide.normalize('NFKC'));
  const once = Array.from(narrow.normalize('NFC'), (letter) => letter.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFC');
  return once === text ? text : folded(once);
}
