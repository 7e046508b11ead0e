import { type FullOptions, fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';

/** The state during an instance's creation. */
export class Run {
  /** Whether a test failed, or was impossible, during the creation. The whole instance is then validated. */
  failed = false;
  /** The remaining number of objects and lists that the input may have, if they are counted. */
  left = MOST_OBJECTS;
  private made: FullOptions | undefined;

  /** @param callerOptions the caller's own options, with any further properties */
  constructor(private readonly callerOptions: ClassTransformOptions | null | undefined) {}

  /** Returns the options that transforms receive, an object per call, as class-transformer creates it. */
  get options(): FullOptions {
    this.made ??= fullOptions(this.callerOptions);
    return this.made;
  }
}

/** The number above which a value's objects and lists are counted individually. */
export const MOST_OBJECTS = 4000;
