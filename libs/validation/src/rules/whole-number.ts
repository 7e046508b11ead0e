import { transformMeaning } from '@app/shapes';
import { Transform, type TransformFnParams } from 'class-transformer';
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
    Transform(toWholeNumber, { toClassOnly: true })(target, property);
    IsInt(options)(target, property);
  };
}

/** Reads the field as it was sent: with implicit conversion on, `value` is already a number, even for `1e1`. */
function toWholeNumber({ value, obj, key }: TransformFnParams): unknown {
  const fields: Record<string, unknown> = obj;
  const sent: unknown = Object.hasOwn(fields, key) ? fields[key] : value;
  return readDigits(sent) ?? sent;
}

transformMeaning(toWholeNumber, { type: 'integer', minimum: 0 });
