import { ownReading } from '@app/engine';
import { IsInt, type ValidationOptions } from 'class-validator';
import { readDigits } from './digits';

/**
 * An integer in a query or a path, where every value is a string.
 *
 * A string of digits is converted (see {@link readDigits}); other values are not, so that the rule itself reports
 * `limit must be an integer number`.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function WholeNumber(options?: ValidationOptions): (target: object, property: string) => void {
  return (target, property) => {
    ownReading(toWholeNumber, { type: 'integer', minimum: 0 })(target, property);
    IsInt(options)(target, property);
  };
}

/** Converts digits to a number and leaves any other value unchanged. */
function toWholeNumber(sent: unknown): unknown {
  return readDigits(sent) ?? sent;
}
