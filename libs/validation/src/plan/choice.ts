import { isSameList } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
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
    isSameList(one.groups, other.groups)
  );
}

/** The same of the options of class-transformer. */
export function decideTheSameInstances(one: ClassTransformOptions, other: ClassTransformOptions): boolean {
  return (
    one.enableCircularCheck === other.enableCircularCheck &&
    one.enableImplicitConversion === other.enableImplicitConversion &&
    one.exposeDefaultValues === other.exposeDefaultValues &&
    setsUndefined(one) === setsUndefined(other) &&
    one.excludeExtraneousValues === other.excludeExtraneousValues &&
    one.ignoreDecorators === other.ignoreDecorators &&
    one.strategy === other.strategy &&
    !one.targetMaps === !other.targetMaps &&
    Object.is(one.version, other.version) &&
    isSameList(one.groups, other.groups) &&
    isSameList(one.excludePrefixes, other.excludePrefixes)
  );
}

/** class-transformer takes an `undefined` that is written out for `false`. */
function setsUndefined(options: ClassTransformOptions): boolean {
  return options.exposeUnsetFields ?? !Object.hasOwn(options, 'exposeUnsetFields');
}

/**
 * A copy that does not change with the caller's lists and objects. It has the same keys: for a text in place of an
 * object, the library tells of the options themselves.
 */
export function ownOptions(given: CompileOptions): CompileOptions {
  const { groups, validationError } = given;
  return {
    ...given,
    ...(groups && { groups: copyOf(groups) }),
    ...(validationError && { validationError: { ...validationError } }),
  };
}

/** The same of the options of class-transformer. */
export function ownTransformOptions(given: ClassTransformOptions): ClassTransformOptions {
  return { ...given, groups: copyOf(given.groups), excludePrefixes: copyOf(given.excludePrefixes) };
}

function copyOf<List extends readonly unknown[] | undefined>(list: List): List {
  return Array.isArray(list) ? ([...(list as readonly unknown[])] as unknown as List) : list;
}
