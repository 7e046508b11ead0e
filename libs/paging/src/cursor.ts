import { readDigits } from '@app/contract';
import { ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';
import type { SortKey, SortValue } from './sort-key';

/** The position after which the next page starts. */
export interface Position {
  /** The id of the page's last item. */
  readonly id: number;
  /** The sorted value of the page's last item; absent in the list's own order. */
  readonly value?: SortValue;
  /** Whether the value is the beginning of a longer text. */
  readonly isCut?: boolean;
}

/** The maximum text length in a cursor, which is part of URLs and header fields. */
export const maxCharacters = 100;

/**
 * Encodes a position as an opaque string.
 *
 * @param list the list and its order; the cursor is valid only for it
 * @throws RangeError for an id that is not a non-negative safe integer
 */
export function encodeCursor(list: string, position: Position): string {
  const { id, value } = position;
  if (!Number.isSafeInteger(id) || id < 0)
    throw new RangeError(`cannot encode ${id} as a cursor: not a non-negative safe integer`);
  const place = `${checksum(list)}:${id}`;
  const text = value === undefined ? place : `${place}:${JSON.stringify(bounded(value))}`;
  return Buffer.from(text).toString('base64url');
}

/**
 * Decodes a cursor from {@link encodeCursor}. Cursors are unsigned, because a forged cursor shows only rows in the list. Their
 * values are therefore checked.
 *
 * @param key the member that sorts the list
 * @returns `undefined` if the cursor is invalid, or belongs to a different list or order
 */
export function decodeCursor(list: string, cursor: string, key?: SortKey): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, sum, digits, encoded] = form.exec(text) ?? [];
  const id = readDigits(digits);
  if (sum !== String(checksum(list)) || id === undefined) return undefined;
  if (key === undefined || encoded === undefined)
    return key === undefined && encoded === undefined ? { id } : undefined;
  const decoded = parsed(encoded);
  const isCut = Array.isArray(decoded);
  const value = key.read(isCut ? decoded[0] : decoded);
  if (value === undefined || (isCut && bounded(`${String(value)} `) === `${String(value)} `))
    return undefined;
  return isCut ? { id, value, isCut } : { id, value };
}

/** Returns a value for a cursor. A long text becomes a list with its beginning. */
function bounded(value: SortValue): SortValue | [string] {
  if (typeof value !== 'string' || value.length <= maxCharacters) return value;
  const characters = Array.from(value);
  return characters.length <= maxCharacters ? value : [characters.slice(0, maxCharacters).join('')];
}

const form = /^(\d+):(\d{1,16})(?::(.*))?$/s;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Computes a 32-bit FNV-1a checksum. It distinguishes lists and protects nothing. */
function checksum(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

const letters = /^[\w-]+$/;

/** Validates a cursor's characters. Whether the cursor belongs to the list is checked when the page is read. */
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
