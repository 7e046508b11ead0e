import { copyList, isSame } from '@app/shapes';
import type { ValidatorOptions } from 'class-validator';
import type { CompileOptions } from './settings';

/**
 * Whether functions are compiled equally for both options of class-validator. Written out, since it is called for every
 * validation: V8 knows the places of the members.
 */
export function decideTheSameRules(one: ValidatorOptions, other: ValidatorOptions): boolean {
  return (
    one.whitelist === other.whitelist &&
    one.forbidNonWhitelisted === other.forbidNonWhitelisted &&
    one.forbidUnknownValues === other.forbidUnknownValues &&
    one.skipMissingProperties === other.skipMissingProperties &&
    one.skipNullProperties === other.skipNullProperties &&
    one.skipUndefinedProperties === other.skipUndefinedProperties &&
    one.stopAtFirstError === other.stopAtFirstError &&
    one.dismissDefaultMessages === other.dismissDefaultMessages &&
    one.enableDebugMessages === other.enableDebugMessages &&
    one.always === other.always &&
    one.strictGroups === other.strictGroups &&
    one.validationError?.target === other.validationError?.target &&
    one.validationError?.value === other.validationError?.value &&
    isSame(one.groups, other.groups)
  );
}

/**
 * A copy that does not change with the caller's lists and objects. It has the same keys: for a text in place of an
 * object, the library tells of the options themselves.
 */
export function ownOptions(given: CompileOptions): CompileOptions {
  const { groups, validationError } = given;
  return {
    ...given,
    ...(groups && { groups: copyList(groups) }),
    ...(validationError && { validationError: { ...validationError } }),
  };
}
