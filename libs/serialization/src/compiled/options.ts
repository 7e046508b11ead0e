import { installedVersion, isKnownVersion } from '@app/shapes';
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
  /** Versions of class-transformer the caller vouches for, beside those that were compared here. */
  readonly trustedVersions?: readonly string[];
  /** `closures` never makes code from text, and is what is used where that is forbidden. */
  readonly mode?: 'generated' | 'closures';
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

export function fullOptions(options: ClassTransformOptions): FullOptions {
  return { ...DEFAULTS, ...options };
}

/** Why nothing at all can be compiled under these options, or `undefined` when it can. */
export function reasonNotToCompile(options: FullOptions, settings: CompileSettings): string | undefined {
  const version = installedVersion();
  if (!isKnownVersion(version, settings.trustedVersions)) {
    return `class-transformer ${version} was not compared with what is compiled`;
  }
  if (options.targetMaps) return 'the option targetMaps is left to class-transformer';
  if (options.groups && !Array.isArray(options.groups)) return 'groups is no list';
  return isListOfTexts(options.excludePrefixes) ? undefined : 'excludePrefixes is no list of texts';
}

function isListOfTexts(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
