import type { ClassTransformOptions } from 'class-transformer';
import { copyList, isSame } from '../lists';

/** A copy of own options, which are all that class-transformer reads. It does not change with the caller's lists. */
export function copyOptions(given: ClassTransformOptions): ClassTransformOptions {
  const own = { ...given };
  return { ...own, groups: copyList(own.groups), excludePrefixes: copyList(own.excludePrefixes) };
}

/**
 * Whether functions are compiled equally for both options of class-transformer. What only transforms read is ignored.
 * Written out, since it is called for every value: V8 knows the places of the members.
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

/** class-transformer takes an `undefined` that is written out for `false`. Asking for own options only takes longer. */
function setsUndefined(options: ClassTransformOptions): boolean {
  return options.exposeUnsetFields ?? !('exposeUnsetFields' in options);
}
