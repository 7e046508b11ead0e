import { type FullOptions, isSameList } from '@app/shapes';
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
