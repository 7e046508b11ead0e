import { isSame } from '../../shapes/lists';
import type { FullOptions } from '../../shapes/transforms/full-options';

/** The compiler options that class-transformer lacks. */
export interface CompileSettings {
  /** Makes a class inherit the class-level `@Exclude()` of its superclass, unlike class-transformer. */
  readonly hardened?: boolean;
  /**
   * Throws an `UndeclaredPartError` for an object in a property without `@Type`, unless its class is closed. For values with
   * closed classes only.
   */
  readonly strict?: boolean;
}

/** Restores the caller's arrays that a transform has changed, before class-transformer runs the same transform. */
export function restoreLists(full: FullOptions, copy: FullOptions): void {
  for (const name of ['groups', 'excludePrefixes'] as const) {
    const [list, before]: unknown[] = [full[name], copy[name]];
    if (!Array.isArray(list) || !Array.isArray(before) || isSame(list, before)) continue;
    list.splice(0, list.length, ...before);
  }
}

/** The reason why nothing can be compiled with these options, or `undefined`. */
export function reasonNotToCompile(options: FullOptions): string | undefined {
  if (options.targetMaps) return 'the option targetMaps is not compiled';
  if (options.enableCircularCheck) return 'the option enableCircularCheck is not compiled';
  if (options.groups && !Array.isArray(options.groups)) return 'groups is not an array';
  return isListOfTexts(options.excludePrefixes) ? undefined : 'excludePrefixes is not an array of strings';
}

function isListOfTexts(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
