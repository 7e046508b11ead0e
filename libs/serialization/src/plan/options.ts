import { canAssemble, installedVersion, isKnownVersion } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';

/** What a caller may say about compiling itself; none of it is class-transformer's. */
export interface CompileSettings {
  /** A class inherits the class-level `@Exclude()` of the one it extends; class-transformer forgets it. */
  readonly hardened?: boolean;
  /**
   * An object in a property without a `@Type` is refused with an `UndeclaredPartError`, unless its class is closed.
   * For values of which every class is closed.
   */
  readonly strict?: boolean;
}

/** class-transformer's options with its defaults filled in, as transforms get to see them. */
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

/** The object that class-transformer makes for one call: transforms may write to it. */
export function fullOptions(options: ClassTransformOptions | null | undefined): FullOptions {
  return { ...DEFAULTS, ...options };
}

/** A copy that stays what it is when the caller changes an array. */
export function copyOptions(full: FullOptions): FullOptions {
  return { ...full, groups: copyList(full.groups), excludePrefixes: copyList(full.excludePrefixes) };
}

function copyList<List>(list: List): List {
  return Array.isArray(list) ? ([...list] as List) : list;
}

/** Whether two sets of options have the same written of every value. What only transforms look at does not count. */
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

/** Puts back what a transform did to an array of the caller's, before class-transformer lets it do the same. */
export function restoreLists(full: FullOptions, copy: FullOptions): void {
  for (const name of ['groups', 'excludePrefixes'] as const) {
    const [list, before]: unknown[] = [full[name], copy[name]];
    if (!Array.isArray(list) || !Array.isArray(before) || isSameList(list, before)) continue;
    list.splice(0, list.length, ...before);
  }
}

/** Whether nobody can change what options say, so that they need not be read at every call. */
export function isUnchangeable(options: ClassTransformOptions | null | undefined): boolean {
  if (options === undefined || options === null) return true;
  if (!Object.isFrozen(options)) return false;
  const held = Object.values(Object.getOwnPropertyDescriptors(options));
  return held.every((one) => 'value' in one && (!Array.isArray(one.value) || Object.isFrozen(one.value)));
}

/** Why nothing can be compiled in this process, or `undefined` when it can. */
export function reasonOfProcess(): string | undefined {
  if (!isKnownVersion(installedVersion())) return 'class-transformer does not answer as version 0.5 does';
  return canAssemble() ? undefined : 'code generation from strings is forbidden';
}

/** Why nothing at all can be compiled under these options, or `undefined` when it can. */
export function reasonNotToCompile(options: FullOptions): string | undefined {
  if (options.targetMaps) return 'the option targetMaps is left to class-transformer';
  if (options.enableCircularCheck) return 'the option enableCircularCheck is left to class-transformer';
  if (options.groups && !Array.isArray(options.groups)) return 'groups is no list';
  return isListOfTexts(options.excludePrefixes) ? undefined : 'excludePrefixes is no list of texts';
}

function isListOfTexts(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
