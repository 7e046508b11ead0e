import type { ClassTransformOptions } from 'class-transformer';
import type { PartDoubt } from './doubt';

/** The defaults of class-transformer, merged with every call's options; a transform may read them. */
const DEFAULTS: ClassTransformOptions = {
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
} as ClassTransformOptions;

/** The state of one call during the creation of an instance. */
export class Run {
  /** What may be invalid in the instance that was created last; the creator of its owner takes it. */
  doubt: PartDoubt | undefined;
  /** The number of objects and lists that the input may still have, if they are counted. */
  left = MOST_OBJECTS;
  private made: ClassTransformOptions | undefined;

  /** @param given the caller's own options, with any further properties */
  constructor(private readonly given: ClassTransformOptions | null | undefined) {}

  /** The options that transforms receive: an object per call, as class-transformer creates it. */
  get options(): ClassTransformOptions {
    this.made ??= { ...DEFAULTS, ...this.given };
    return this.made;
  }
}

/** Above this number, the objects and lists of a value are counted individually. */
export const MOST_OBJECTS = 4000;
