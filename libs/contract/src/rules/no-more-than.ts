import { ownRule, withMeaning } from '@app/engine';
import { arrayMaxSize, type ValidationOptions } from 'class-validator';

/**
 * Sets a maximum size for lists and ignores all other values.
 *
 * class-validator's `ArrayMaxSize` also fails for non-lists, so that a missing list would be reported as too long. Use it
 * together with `IsArray`.
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
