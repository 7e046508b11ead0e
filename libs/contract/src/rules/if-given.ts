import { isGiven, withMeaning } from '@app/engine';
import { ValidateIf, type ValidationOptions } from 'class-validator';

/** Makes a field optional. Unlike with class-validator's `IsOptional`, null is validated by the field's other rules. */
export function IfGiven(options?: ValidationOptions): PropertyDecorator {
  return withMeaning(ValidateIf(isGiven, options), { looksAtValueOnly: true });
}
