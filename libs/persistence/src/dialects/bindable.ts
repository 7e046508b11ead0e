import { UnstorableTextError } from '../errors';

/** What may be bound to a parameter. */
export type Bindable = null | string | number | bigint | boolean | Date;

/**
 * Lets through what both stores keep exactly, and nothing else.
 *
 * The drivers are no help here: `node:sqlite` binds `undefined`, `NaN` and a lone `Date` as NULL without a word, and
 * cuts no text at NUL where PostgreSQL refuses it.
 *
 * @throws {UnstorableTextError} for text with a NUL or half a surrogate pair
 * @throws {TypeError} for everything that is no value of a column: a mistake in our code
 */
export function bindable(value: unknown): Bindable {
  switch (typeof value) {
    case 'string':
      return storableText(value);
    case 'number':
      return storableNumber(value);
    case 'bigint':
    case 'boolean':
      return value;
    default:
      return value === null ? null : validDate(value);
  }
}

function storableText(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw new UnstorableTextError();
  return text;
}

function storableNumber(number: number): number {
  if (Number.isSafeInteger(number)) return number;
  if (!Number.isFinite(number) || Number.isInteger(number)) {
    throw new TypeError('a number must be finite and, when whole, a safe integer to be bound');
  }
  return number;
}

function validDate(value: unknown): Date {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  const kind = value instanceof Date ? 'an invalid Date' : typeof value;
  throw new TypeError(`${kind} cannot be bound to a query`);
}
