import { ownRule, withMeaning } from '@app/shapes';
import { arrayMaxSize, type ValidationOptions } from 'class-validator';

/**
 * A bound on the size of a list that speaks only of lists.
 *
 * class-validator's `ArrayMaxSize` also fails for what is no list, so that a missing list would be called too long.
 * Beside `IsArray`, this one stays silent then.
 *
 * @param max the most elements
 */
export function NoMoreThan(max: number, options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'arrayMaxSize',
      constraints: [max],
      test: (value) => !Array.isArray(value) || arrayMaxSize(value, max),
      message: (eachPrefix) => `${eachPrefix}$property must contain no more than $constraint1 elements`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { maxItems: max } });
}
