import { UnstorableTextError, UnstorableValueError } from '../errors';
import { GeneratedId } from './ids/generated-id';

/** A value that can be bound to a query parameter. */
export type Bindable = null | string | number | bigint | boolean | Date;

/**
 * Returns the value if both databases store it exactly.
 *
 * The drivers skip this check: `node:sqlite` silently binds `undefined`, `NaN` and a single `Date` as NULL. It also stores text
 * with a NUL, which PostgreSQL rejects.
 *
 * @throws {UnstorableTextError} for text with a NUL or an unpaired surrogate
 * @throws {UnstorableValueError} for an infinite number or `NaN`, an integer beyond 2⁵³ (a bigint beyond 64 bits), an invalid
 *   date, an object
 * @throws {TypeError} for every other value, which is a programming error
 */
export function bindable(value: unknown): Bindable {
  switch (typeof value) {
    case 'string':
      return storableText(value);
    case 'number':
      return storableNumber(value);
    case 'bigint':
      return storableBigint(value);
    case 'boolean':
      return value;
    default:
      return value === null ? null : ofObject(value);
  }
}

function storableText(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw new UnstorableTextError([text]);
  return text;
}

function storableNumber(number: number): number {
  if (Number.isSafeInteger(number)) return number;
  if (!Number.isFinite(number) || Number.isInteger(number)) {
    throw new UnstorableValueError('a number must be finite and, when whole, a safe integer to be bound', [
      number,
    ]);
  }
  return number;
}

function storableBigint(integer: bigint): bigint {
  if (BigInt.asIntN(64, integer) === integer) return integer;
  throw new UnstorableValueError('an integer must have at most 64 bits to be bound', [integer]);
}

function ofObject(value: unknown): Date | number {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (value instanceof Date)
    throw new UnstorableValueError('an invalid Date cannot be bound to a query', [value]);
  if (value instanceof GeneratedId) return value.next();
  const reason = `${typeof value} cannot be bound to a query`;
  throw typeof value === 'object' ? new UnstorableValueError(reason, [value]) : new TypeError(reason);
}
