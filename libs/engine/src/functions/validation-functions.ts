import * as compiled from '../validation/validators/drop-in';
import * as library from 'class-validator';
import { FirstCalls } from './first-calls';
import { withMethods } from './with-methods';

const first = new FirstCalls();

/** The functions that handle a call. */
function functionsFor(
  object: unknown,
): Pick<typeof library, 'validate' | 'validateSync' | 'validateOrReject'> {
  const type = typeof object === 'object' && object !== null ? object.constructor : undefined;
  return first.isAmong(type, object) ? library : compiled;
}

/** class-validator's `validate`, compiled. */
export const validate: typeof library.validate = (object: object | string, ...more: unknown[]) =>
  functionsFor(object).validate(object as string, ...(more as [object]));

/** class-validator's `validateSync`, compiled. */
export const validateSync: typeof library.validateSync = (object: object | string, ...more: unknown[]) =>
  functionsFor(object).validateSync(object as string, ...(more as [object]));

/** class-validator's `validateOrReject`, compiled. */
export const validateOrReject: typeof library.validateOrReject = (
  object: object | string,
  ...more: unknown[]
) => functionsFor(object).validateOrReject(object as string, ...(more as [object]));

/** class-validator's `Validator`, compiled: an instance of it as well. */
export const Validator: typeof library.Validator = withMethods(class Validator extends library.Validator {}, {
  validate,
  validateSync,
  validateOrReject,
});
export type Validator = library.Validator;

/** All of class-validator, for the option `validatorPackage` of Nest's own pipe. */
export const validatorPackage: typeof library = {
  ...library,
  validate,
  validateSync,
  validateOrReject,
  Validator,
};
