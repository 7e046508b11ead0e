import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { emailKey } from '../email-key';

/**
 * Returns a username's subject, whether or not the account exists. It is hashed, because users type passwords into the wrong
 * field.
 */
export function accountSubject(username: string): string {
  return `account:${createHash('sha256')
    .update(emailKey(username) ?? username)
    .digest('base64url')}`;
}

/** Returns the subject of a username at a remote address. */
export function pairSubject(username: string, ip: string): string {
  return `${accountSubject(username)} ${addressSubject(ip)}`;
}

/** Returns the subject for mails with the given kind to an e-mail, whether or not an account has this e-mail. */
export function mailSubject(kind: string, email: string): string {
  return `mail:${kind}:${accountSubject(email)}`;
}

/**
 * Returns the subject of a remote address. An IPv6 address counts by its /64 prefix, because an end site has all addresses in
 * it. All other text, such as a misconfigured proxy sends, shares a single subject.
 *
 * @see RFC 6177 (an end site is given a /64 or more), RFC 4291 §2.5.5.2 (an IPv4 address mapped into IPv6)
 */
export function addressSubject(ip: string): string {
  const address = ip.split('%', 1)[0] ?? '';
  if (isIPv4(address)) return `address:${address}`;
  if (!isIPv6(address)) return 'address:unknown';
  const groups = groupsOf(address);
  return isMapped(groups) ? `address:${dotted(groups)}` : `address:${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns a request's source, for fair queues: its address, or the operator at a command line. */
export function sourceOf(ip: string | undefined): string {
  return ip === undefined ? 'operator' : addressSubject(ip);
}

/** Returns the eight groups of an IPv6 address in hexadecimal, normalized by the URL parser. */
function groupsOf(address: string): string[] {
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [partsOf(left), partsOf(right ?? '')];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

function partsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function isMapped(groups: readonly string[]): boolean {
  return groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
}

function dotted(groups: readonly string[]): string {
  const bytes = groups.slice(6).flatMap((group) => {
    const bits = Number.parseInt(group, 16);
    return [bits >> 8, bits & 0xff];
  });
  return bytes.join('.');
}
