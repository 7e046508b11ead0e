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

const tags = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether `If-None-Match` lists a tag, or is `*`; weak tags count (RFC 9110 §13.1.2). */
export function listsTag(header: string, tag: string): boolean {
  return header.trim() === '*' || [...header.matchAll(tags)].some(([, , listed]) => listed === tag);
}

/** Whether `If-Match` lists a tag, or is `*`; weak tags do not count (RFC 9110 §13.1.1). */
export function listsStrongTag(header: string, tag: string): boolean {
  const strong = [...header.matchAll(tags)].filter(([, weak]) => weak === undefined);
  return header.trim() === '*' || strong.some(([, , listed]) => listed === tag);
}
