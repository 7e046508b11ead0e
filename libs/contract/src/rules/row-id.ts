import { ownReading } from '@app/engine';
import { IsInt, type ValidationOptions } from 'class-validator';
import { readDigits } from './digits';

/**
 * Reads a row id in a path or a query: a string of digits, as in {@link WholeNumber}. An id above `Number.MAX_SAFE_INTEGER`
 * becomes 0, which never matches a row.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function RowId(options?: ValidationOptions): (target: object, property: string) => void {
  return (target, property) => {
    ownReading(toRowId, { type: 'integer', minimum: 0 })(target, property);
    IsInt(options)(target, property);
  };
}

function toRowId(sent: unknown): unknown {
  const id = readDigits(sent);
  if (id === undefined) return sent;
  return Number(sent) > Number.MAX_SAFE_INTEGER ? 0 : id;
}
