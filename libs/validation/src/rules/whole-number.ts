import { ownReading } from '@app/shapes';
import { IsInt, type ValidationOptions } from 'class-validator';
import { readDigits } from './digits';

/**
 * A whole number in a query or a path, where everything arrives as text.
 *
 * A string of digits becomes the number it writes (see {@link readDigits}); whatever else came stays as it is, so
 * that the rule itself says `limit must be an integer number`.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function WholeNumber(options?: ValidationOptions): (target: object, property: string) => void {
  return (target, property) => {
    ownReading(toWholeNumber, { type: 'integer', minimum: 0 })(target, property);
    IsInt(options)(target, property);
  };
}

/** Digits become the number they write; anything else stays. */
function toWholeNumber(sent: unknown): unknown {
  return readDigits(sent) ?? sent;
}
