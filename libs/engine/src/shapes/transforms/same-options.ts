import type { ClassTransformOptions } from 'class-transformer';
import { copyList, isSame } from '../lists';

/** Copies the own options, since class-transformer reads only own options. Later changes to the caller's lists have no effect. */
export function copyOptions(options: ClassTransformOptions): ClassTransformOptions {
  const own = { ...options };
  return { ...own, groups: copyList(own.groups), excludePrefixes: copyList(own.excludePrefixes) };
}

/**
 * Whether functions are compiled equally for both class-transformer options. Options that only transforms read are ignored. The
 * comparisons are written out because V8 then knows where the members are, and every value calls this function.
 */
export function decideTheSame(a: ClassTransformOptions, b: ClassTransformOptions): boolean {
  return (
    a.enableCircularCheck === b.enableCircularCheck &&
    a.enableImplicitConversion === b.enableImplicitConversion &&
    a.exposeDefaultValues === b.exposeDefaultValues &&
    setsUndefined(a) === setsUndefined(b) &&
    a.excludeExtraneousValues === b.excludeExtraneousValues &&
    a.ignoreDecorators === b.ignoreDecorators &&
    a.strategy === b.strategy &&
    !a.targetMaps === !b.targetMaps &&
    Object.is(a.version, b.version) &&
    isSame(a.groups, b.groups) &&
    isSame(a.excludePrefixes, b.excludePrefixes)
  );
}

/** Whether `undefined` is set explicitly, which class-transformer treats as `false`. Checking for own options takes longer. */
function setsUndefined(options: ClassTransformOptions): boolean {
  return options.exposeUnsetFields ?? !('exposeUnsetFields' in options);
}
