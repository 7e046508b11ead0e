import { type FullOptions, fullOptions } from '../../shapes/transforms/full-options';
import type { Executor } from '../../shapes/transforms/imported-library';
import { decideTheSame } from '../../shapes/transforms/same-options';
import type { ClassTransformOptions } from 'class-transformer';
import { restoreLists } from '../plan/options';
import { makeExecutor, type ReadingOptions } from '../plan/reference';
import { needsReference } from './text/json-text';

/**
 * A single call of a writer, with its options as transforms see them.
 *
 * class-transformer creates an options object per call, and reads from it whatever a transform has written there.
 */
export class Call {
  /** The options as passed by the caller. */
  given: ClassTransformOptions | null | undefined;
  /** The options object, created on first use. */
  private made: FullOptions | undefined;
  private executor: Executor | undefined;
  #isOpen = false;
  /** The number of the current call, which increases with every call. */
  number = 0;
  readonly #copy: FullOptions;
  readonly #reading: ReadingOptions;

  /** @param copy the options that the writer is compiled for */
  constructor(copy: FullOptions, reading: ReadingOptions) {
    this.#copy = copy;
    this.#reading = reading;
  }

  /** Replaces the current call, which may be in the middle of a transform, and restores it afterwards. */
  enter(options: ClassTransformOptions | null | undefined, full?: FullOptions): EnteredCall | undefined {
    const outer = this.#isOpen ? this.#interrupted() : undefined;
    this.#isOpen = true;
    this.number += 1;
    // Compared first: writing to an old object costs more.
    if (this.given !== options) this.given = options;
    if (this.made !== full) this.made = full;
    if (this.executor !== undefined) this.executor = undefined;
    return outer;
  }

  leave(outer: EnteredCall | undefined): void {
    if (outer === undefined) this.#isOpen = false;
    else Object.assign(this, outer);
  }

  #interrupted(): EnteredCall {
    return { given: this.given, made: this.made, executor: this.executor };
  }

  options(): FullOptions {
    return (this.made ??= fullOptions(this.given));
  }

  /** Returns a class-transformer executor within this call. */
  reference(): Executor {
    return (this.executor ??= makeExecutor(this.options(), this.#reading));
  }

  /** @throws needsReference if a transform has written to options that affect the rest of the value */
  assertSameOptions(): void {
    if (this.made !== undefined && !decideTheSame(this.made, this.#copy)) throw needsReference;
  }

  /** Restores the caller's arrays, since class-transformer is about to run the same transforms again. */
  restore(): void {
    if (this.made !== undefined) restoreLists(fullOptions(this.given), this.#copy);
  }
}

/** The state of an interrupted call. */
export interface EnteredCall {
  readonly given: ClassTransformOptions | null | undefined;
  readonly made: FullOptions | undefined;
  readonly executor: Executor | undefined;
}
