import { type FullOptions, fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';

/** The state of one call during the creation of an instance. */
export class Run {
  /** Whether a test failed, or could not be made, while the instances were created: then the whole is validated. */
  failed = false;
  /** The number of objects and lists that the input may still have, if they are counted. */
  left = MOST_OBJECTS;
  private made: FullOptions | undefined;

  /** @param given the caller's own options, with any further properties */
  constructor(private readonly given: ClassTransformOptions | null | undefined) {}

  /** The options that transforms receive: an object per call, as class-transformer creates it. */
  get options(): FullOptions {
    this.made ??= fullOptions(this.given);
    return this.made;
  }
}

/** Above this number, the objects and lists of a value are counted individually. */
export const MOST_OBJECTS = 4000;
