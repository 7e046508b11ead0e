import type { ClassTransformOptions } from 'class-transformer';

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

/** Returns the options object for a call. Transforms may write to it. */
export function fullOptions(options: ClassTransformOptions | null | undefined): FullOptions {
  return { ...DEFAULTS, ...options };
}
