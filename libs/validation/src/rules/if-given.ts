import { isGiven, withMeaning } from '@app/shapes';
import { ValidateIf, type ValidationOptions } from 'class-validator';

/**
 * Lets a field be left out. Unlike class-validator's `IsOptional`, null is not the same as nothing: it is held to the
 * field's other rules, so that a change cannot pass with a null that nobody looks at.
 */
export function IfGiven(options?: ValidationOptions): PropertyDecorator {
  return withMeaning(ValidateIf(isGiven, options), { looksAtValueOnly: true });
}
