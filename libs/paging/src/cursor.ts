import { ownRule, withMeaning } from '@app/shapes';
import type { ValidationOptions } from 'class-validator';
import { readDigits } from '@app/validation';

/** Says what the number in a cursor is, so that a later kind of cursor cannot be taken for this one. */
const MARK = 'id:';

/**
 * Writes the place after which a next page begins, for a caller to hand back unread.
 *
 * @param id the key of the last thing on this page: a whole number, not negative
 * @throws RangeError for any other number
 */
export function encodeCursor(id: number): string {
  if (!Number.isSafeInteger(id) || id < 0) throw new RangeError(`A cursor holds a whole number, not ${id}.`);
  return Buffer.from(MARK + id).toString('base64url');
}

/**
 * Reads a cursor that {@link encodeCursor} wrote.
 *
 * @returns the key, or `undefined` if we never wrote this
 */
export function decodeCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.startsWith(MARK) ? readDigits(text.slice(MARK.length)) : undefined;
  return id !== undefined && encodeCursor(id) === cursor ? id : undefined;
}

/** A digit in base64url, by its place among three: the bits of a digit are `0011` and its own four. */
const [first, second, third] = ['(?:[MN][DTjz]|O[DT])', '[AEIMQUYcgk]', '[w-z0-5]'];
const alone = '(?:[MN][AQgw]|O[AQ])';
const firstButZero = '(?:M[Tjz]|N[DTjz]|O[DT])';

/** The cursors of keys of up to 14 digits, as a pattern; no key of ours is longer. */
function writtenCursor(): string {
  const more = `(?:${first}${second}${third}){0,3}(?:${alone}|${first}${second})?`;
  return `^aWQ6(?:${alone}|${firstButZero}${second}(?:${third}${more})?)$`;
}

/** A string that {@link decodeCursor} can read. */
export function IsCursor(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isCursor',
      test: (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
      message: (eachPrefix) => `${eachPrefix}$property must be a cursor from an earlier answer`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { type: 'string', pattern: writtenCursor() } });
}
