import { isObject } from '../shapes/values';
import * as dropIn from '../validation/validators/drop-in';
import * as library from 'class-validator';
import { FirstCalls } from './first-calls';
import { withMethods } from './with-methods';

const first = new FirstCalls();

type Functions = Pick<typeof library, 'validate' | 'validateSync' | 'validateOrReject'>;

/** The members are listed separately because a bundler keeps all exports of a module that is used as a whole. */
const compiled: Functions = {
  validate: dropIn.validate,
  validateSync: dropIn.validateSync,
  validateOrReject: dropIn.validateOrReject,
};

/** Returns the functions that handle a call. */
function functionsFor(object: unknown): Functions {
  const type = isObject(object) ? object.constructor : undefined;
  return first.isAmong(type, object) ? library : compiled;
}

/** The compiled version of class-validator's `validate`. */
export const validate: typeof library.validate = (object: object | string, ...more: unknown[]) =>
  functionsFor(object).validate(object as string, ...(more as [object]));

/** The compiled version of class-validator's `validateSync`. */
export const validateSync: typeof library.validateSync = (object: object | string, ...more: unknown[]) =>
  functionsFor(object).validateSync(object as string, ...(more as [object]));

/** The compiled version of class-validator's `validateOrReject`. */
export const validateOrReject: typeof library.validateOrReject = (
  object: object | string,
  ...more: unknown[]
) => functionsFor(object).validateOrReject(object as string, ...(more as [object]));

/** The compiled version of class-validator's `Validator`, including its instances. */
export const Validator: typeof library.Validator = withMethods(class Validator extends library.Validator {}, {
  validate,
  validateSync,
  validateOrReject,
});
export type Validator = library.Validator;

/** The whole class-validator package, for the `validatorPackage` option of Nest's own pipe. */
export const validatorPackage: typeof library = {
  ...library,
  validate,
  validateSync,
  validateOrReject,
  Validator,
};
