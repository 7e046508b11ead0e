import * as compiled from '../validation/validators/drop-in';
import * as library from 'class-validator';
import { withMethods } from './with-methods';

/** class-validator's `validate`, compiled. */
export const validate: typeof library.validate = compiled.validate;

/** class-validator's `validateSync`, compiled. */
export const validateSync: typeof library.validateSync = compiled.validateSync;

/** class-validator's `validateOrReject`, compiled. */
export const validateOrReject: typeof library.validateOrReject = compiled.validateOrReject;

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
