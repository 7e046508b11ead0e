import * as dropIn from '../validation/validators/drop-in';
import * as library from 'class-validator';
import { FirstCalls } from './first-calls';
import { withMethods } from './with-methods';

const first = new FirstCalls();

type Functions = Pick<typeof library, 'validate' | 'validateSync' | 'validateOrReject'>;

/** The members one by one: a bundler keeps all of a module that is used as a whole. */
const compiled: Functions = {
  validate: dropIn.validate,
  validateSync: dropIn.validateSync,
  validateOrReject: dropIn.validateOrReject,
};

/** The functions that handle a call. */
function functionsFor(object: unknown): Functions {
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
