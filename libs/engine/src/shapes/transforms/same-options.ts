import type { ClassTransformOptions } from 'class-transformer';
import { copyList, isSame } from '../lists';

/** Copies the own options, since class-transformer reads only own options. Later changes to the caller's lists have no effect. */
export function copyOptions(given: ClassTransformOptions): ClassTransformOptions {
  const own = { ...given };
  return { ...own, groups: copyList(own.groups), excludePrefixes: copyList(own.excludePrefixes) };
}

/**
 * Whether functions are compiled equally for both class-transformer options. Options that only transforms read are ignored. The
 * comparisons are written out because V8 then knows where the members are, and every value calls this function.
 */
export function decideTheSame(one: ClassTransformOptions, other: ClassTransformOptions): boolean {
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
    isSame(one.groups, other.groups) &&
    isSame(one.excludePrefixes, other.excludePrefixes)
  );
}

/** Whether `undefined` is set explicitly, which class-transformer treats as `false`. Checking for own options takes longer. */
function setsUndefined(options: ClassTransformOptions): boolean {
  return options.exposeUnsetFields ?? !('exposeUnsetFields' in options);
}
