import type { ClassTransformOptions } from 'class-transformer';

/** Class-transformer's own, laid under every call's options; a transform may look at them. */
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

/** What one call knows while an instance is made. */
export class Run {
  /** Whether a rule may not hold: then all are looked at. */
  isDoubted = false;
  /** How many objects and lists the input may still have, where that is counted. */
  left = MOST_OBJECTS;
  private made: ClassTransformOptions | undefined;

  /** @param given the caller's own options, whatever else they hold */
  constructor(private readonly given: ClassTransformOptions | null | undefined) {}

  /** What transforms are told: an object of this call alone, as class-transformer makes one for each. */
  get options(): ClassTransformOptions {
    this.made ??= { ...DEFAULTS, ...this.given };
    return this.made;
  }
}

/** More objects and lists than these, in one value, are counted one by one. */
export const MOST_OBJECTS = 4000;
