import type { ClassTransformOptions } from 'class-transformer';

/** Options of the compiler, which class-transformer does not have. */
export interface CompileSettings {
  /** A class inherits the class-level `@Exclude()` of its superclass, unlike with class-transformer. */
  readonly hardened?: boolean;
  /**
   * An object in a property without `@Type` is an `UndeclaredPartError`, unless its class is closed. For values whose
   * classes are all closed.
   */
  readonly strict?: boolean;
}

/** class-transformer's options with its defaults, as transforms receive them. */
export type FullOptions = ClassTransformOptions;

const DEFAULTS: FullOptions = {
  enableCircularCheck: false,
  enableImplicitConversion: false,
  excludeExtraneousValues: false,
  excludePrefixes: undefined,
  exposeDefaultValues: false,
  exposeUnsetFields: true,
  groups: undefined,
  ignoreDecorators: false,
  strategy: undefined,
  targetMaps: undefined,
  version: undefined,
};

/** The options object of one call, to which transforms may write. */
export function fullOptions(options: ClassTransformOptions | null | undefined): FullOptions {
  return { ...DEFAULTS, ...options };
}

/** A copy that does not change with the caller's arrays. */
export function copyOptions(full: FullOptions): FullOptions {
  return { ...full, groups: copyList(full.groups), excludePrefixes: copyList(full.excludePrefixes) };
}

function copyList<List>(list: List): List {
  return Array.isArray(list) ? ([...list] as List) : list;
}

/** Whether two sets of options write every value equally. Options that only transforms read are ignored. */
export function decideTheSame(one: FullOptions, other: FullOptions): boolean {
  return (
    isSameList(one.groups, other.groups) &&
    Object.is(one.version, other.version) &&
    one.strategy === other.strategy &&
    one.exposeUnsetFields === other.exposeUnsetFields &&
    one.excludeExtraneousValues === other.excludeExtraneousValues &&
    one.enableCircularCheck === other.enableCircularCheck &&
    one.ignoreDecorators === other.ignoreDecorators &&
    one.targetMaps === other.targetMaps &&
    isSameList(one.excludePrefixes, other.excludePrefixes)
  );
}

function isSameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!Object.is(one[at], other[at])) return false;
  return true;
}

/** Restores the caller's arrays that a transform has changed, before class-transformer runs the same transform. */
export function restoreLists(full: FullOptions, copy: FullOptions): void {
  for (const name of ['groups', 'excludePrefixes'] as const) {
    const [list, before]: unknown[] = [full[name], copy[name]];
    if (!Array.isArray(list) || !Array.isArray(before) || isSameList(list, before)) continue;
    list.splice(0, list.length, ...before);
  }
}

/** Whether options are immutable, so that they need not be read at every call. */
export function isUnchangeable(options: ClassTransformOptions | null | undefined): boolean {
  if (options === undefined || options === null) return true;
  if (!Object.isFrozen(options)) return false;
  const held = Object.values(Object.getOwnPropertyDescriptors(options));
  return held.every((one) => 'value' in one && (!Array.isArray(one.value) || Object.isFrozen(one.value)));
}

/** The reason why nothing can be compiled with these options, or `undefined`. */
export function reasonNotToCompile(options: FullOptions): string | undefined {
  if (options.targetMaps) return 'the option targetMaps is not compiled';
  if (options.enableCircularCheck) return 'the option enableCircularCheck is not compiled';
  if (options.groups && !Array.isArray(options.groups)) return 'groups is not an array';
  return isListOfTexts(options.excludePrefixes) ? undefined : 'excludePrefixes is not an array of strings';
}

function isListOfTexts(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
