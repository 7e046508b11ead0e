import { ownRule, withMeaning } from '@app/shapes';
import { maxLength, type ValidationOptions } from 'class-validator';

/**
 * A bound on the length of a text that speaks only of texts.
 *
 * class-validator's `MaxLength` also fails for what is no string, so that a missing password would be called too
 * short and too long at once. Beside a rule that asks for a string, this one stays silent then.
 *
 * @param max the most characters; a surrogate pair counts as one, as in `MaxLength`
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
