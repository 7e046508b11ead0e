import { ownRule, withMeaning } from '@app/engine';
import { maxLength, type ValidationOptions } from 'class-validator';

/**
 * Sets a maximum length for strings and ignores all other values.
 *
 * class-validator's `MaxLength` also fails for non-strings, so that a missing password would be reported as both too short
 * and too long. Use it together with a rule that requires a string.
 *
 * @param max the most characters; a surrogate pair counts as a single character, as in `MaxLength`
 */
export function NoLongerThan(max: number, options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'maxLength',
      constraints: [max],
      test: (value) => typeof value !== 'string' || maxLength(value, max),
      message: (eachPrefix) =>
        `${eachPrefix}$property must be shorter than or equal to $constraint1 characters`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { maxLength: max } });
}
