import { crc32 } from 'node:zlib';
import { ownRule, withMeaning } from '@app/shapes';
import type { ValidationOptions } from 'class-validator';
import type { SortKey, SortValue } from './sort-key';

/** The position after which the next page starts. */
export interface Position {
  /** Of the last item on this page. */
  readonly id: number;
  /** Its value of the member by which the list is sorted; absent in the list's own order. */
  readonly value?: SortValue;
}

/**
 * Encodes a position, as an opaque string.
 *
 * @param list the list and its order; a cursor of another one is not decoded
 * @throws RangeError for an id that is not a non-negative safe integer
 */
export function encodeCursor(list: string, { id, value }: Position): string {
  if (!Number.isSafeInteger(id) || id < 0)
    throw new RangeError(`cannot encode ${id} as a cursor: not a non-negative safe integer`);
  const parts = value === undefined ? [crc32(list), id] : [crc32(list), id, value];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a cursor of {@link encodeCursor}. A cursor is not signed, because a forged one shows no row that the list does not
 * have; so its value is checked.
 *
 * @param key the member by which the list is sorted
 * @returns `undefined` if the cursor is invalid, or of another list or order
 */
export function decodeCursor(list: string, cursor: string, key?: SortKey): Position | undefined {
  const [sum, id, encoded, ...others] = partsOf(cursor);
  if (sum !== crc32(list) || !isId(id) || others.length > 0) return undefined;
  if (key === undefined) return encoded === undefined ? { id } : undefined;
  const value = key.read(encoded);
  return value === undefined ? undefined : { id, value };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const letters = /^[\w-]+$/;

/** A string of the letters of a cursor. Whether it is one of the list is known when the page is read. */
export function IsCursor(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isCursor',
      test: (value) => typeof value === 'string' && letters.test(value),
      message: (eachPrefix) => `${eachPrefix}$property must be a cursor from an earlier response`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { type: 'string', pattern: letters.source } });
}
