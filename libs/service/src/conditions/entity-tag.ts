import { hash } from 'node:crypto';

/**
 * The entity tag of a representation: equal for equal bytes.
 *
 * @see RFC 9110 §8.8.3
 */
export function entityTagOf(representation: string | Buffer): string {
  return `"${hash('sha256', representation, 'base64url')}"`;
}

/** The entity tag of a row, by the member that changes with each change of it. */
export function versionTagOf(row: object, member: string): string {
  const version: unknown = Reflect.get(row, member);
  if (version instanceof Date) return entityTagOf(version.toISOString());
  if (typeof version === 'number' || typeof version === 'string') return entityTagOf(String(version));
  throw new TypeError(`${member} is no version: it must be a number, a string or a date`);
}

const tags = /"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** The suffixes that proxies add when they compress a response: Apache and Caddy one dash, Jetty two. */
const suffix = /--?(?:gzip|br|zstd|deflate)$/;

/**
 * Whether `If-Match` or `If-None-Match` lists a tag, or is `*`. Every tag of the program is strong: a proxy that compresses has made the
 * tag weak (nginx) or has added a suffix to it, and the client has read the same representation (RFC 9110 §8.8.3.3).
 */
export function listsTag(header: string, tag: string): boolean {
  const isListed = ([, listed = '']: RegExpMatchArray): boolean =>
    `"${listed}"` === tag || `"${listed.replace(suffix, '')}"` === tag;
  return header.trim() === '*' || header.matchAll(tags).some(isListed);
}
