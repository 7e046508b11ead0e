import { ownRule } from '@app/shapes';
import type { ValidationOptions } from 'class-validator';
import { readDigits } from './digits';

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

/** A string that {@link decodeCursor} can read. */
export function IsCursor(options?: ValidationOptions): PropertyDecorator {
  return ownRule(
    {
      name: 'isCursor',
      test: (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
      message: (eachPrefix) => `${eachPrefix}$property must be a cursor from an earlier answer`,
    },
    options,
  );
}
