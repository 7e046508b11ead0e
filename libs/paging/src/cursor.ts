import { ownRule, withMeaning } from '@app/shapes';
import type { ValidationOptions } from 'class-validator';
import { readDigits } from '@app/validation';

/** Identifies the kind of a cursor, so that a future kind cannot be confused with it. */
const MARK = 'id:';

/**
 * Encodes the position after which the next page starts, as an opaque string.
 *
 * @param id the key of the last item on this page: a non-negative safe integer
 * @throws RangeError for any other number
 */
export function encodeCursor(id: number): string {
  if (!Number.isSafeInteger(id) || id < 0)
    throw new RangeError(`cannot encode ${id} as a cursor: not a non-negative safe integer`);
  return Buffer.from(MARK + id).toString('base64url');
}

/**
 * Decodes a cursor of {@link encodeCursor}.
 *
 * @returns the key, or `undefined` if the cursor is invalid
 */
export function decodeCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.startsWith(MARK) ? readDigits(text.slice(MARK.length)) : undefined;
  return id !== undefined && encodeCursor(id) === cursor ? id : undefined;
}

/** A digit in base64url, by its position in a group of three bytes: its bits are `0011` and its own four. */
const [first, second, third] = ['(?:[MN][DTjz]|O[DT])', '[AEIMQUYcgk]', '[w-z0-5]'];
const alone = '(?:[MN][AQgw]|O[AQ])';
const firstButZero = '(?:M[Tjz]|N[DTjz]|O[DT])';

/** Matches the cursors of keys of up to 14 digits, which no key exceeds. */
function cursorPattern(): string {
  const more = `(?:${first}${second}${third}){0,3}(?:${alone}|${first}${second})?`;
  return `^aWQ6(?:${alone}|${firstButZero}${second}(?:${third}${more})?)$`;
}

/** A string that {@link decodeCursor} accepts. */
export function IsCursor(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isCursor',
      test: (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
      message: (eachPrefix) => `${eachPrefix}$property must be a cursor from an earlier response`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { type: 'string', pattern: cursorPattern() } });
}
