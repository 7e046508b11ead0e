import { hash } from 'node:crypto';

/**
 * Returns the entity tag of a representation. Equal bytes have equal tags.
 *
 * @see RFC 9110 §8.8.3
 */
export function entityTagOf(representation: string | Buffer): string {
  return `"${hash('sha256', representation, 'base64url')}"`;
}

/** Returns the entity tag of a row, made from the member that changes with each change. */
export function versionTagOf(row: object, member: string): string {
  const version: unknown = Reflect.get(row, member);
  if (version instanceof Date) return entityTagOf(version.toISOString());
  if (typeof version === 'number' || typeof version === 'string') return entityTagOf(String(version));
  throw new TypeError(`${member} is no version: it must be a number, a string or a date`);
}

const tags = /"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** The suffixes that proxies add when they compress a response. Apache and Caddy add a single dash, Jetty adds two. */
const suffix = /--?(?:gzip|br|zstd|deflate)$/;

/**
 * Returns whether `If-Match` or `If-None-Match` lists a tag, or is `*`. Every tag is strong. A proxy that compresses makes the
 * tag weak (nginx) or adds a suffix, and the client has still read the same representation (RFC 9110 §8.8.3.3).
 */
export function listsTag(header: string, tag: string): boolean {
  const isListed = ([, listed = '']: RegExpMatchArray): boolean =>
    `"${listed}"` === tag || `"${listed.replace(suffix, '')}"` === tag;
  return header.trim() === '*' || header.matchAll(tags).some(isListed);
}
