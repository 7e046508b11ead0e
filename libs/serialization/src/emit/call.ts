import type { Executor } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { decideTheSame, type FullOptions, fullOptions, restoreLists } from '../plan/options';
import { makeExecutor, type ReadingOptions } from '../plan/reference';
import { needsReference } from './text/json-text';

/**
 * One call of a writer, with its options as transforms see them.
 *
 * class-transformer creates one options object per call, and reads from it whatever a transform has written there.
 */
export class Call {
  /** As passed by the caller. */
  given: ClassTransformOptions | null | undefined;
  /** Created on first use. */
  private made: FullOptions | undefined;
  private executor: Executor | undefined;
  private isOpen = false;
  private readonly copy: FullOptions;
  private readonly reading: ReadingOptions;

  /** @param copy what is compiled for */
  constructor(copy: FullOptions, reading: ReadingOptions) {
    this.copy = copy;
    this.reading = reading;
  }

  /** Replaces the current call, which may be in the middle of a transform, and restores it afterwards. */
  enter(given: ClassTransformOptions | null | undefined, made?: FullOptions): EnteredCall | undefined {
    const { isOpen } = this;
    const outer = isOpen ? { given: this.given, made: this.made, executor: this.executor } : undefined;
    this.isOpen = true;
    this.given = given;
    this.made = made;
    this.executor = undefined;
    return outer;
  }

  leave(outer: EnteredCall | undefined): void {
    this.isOpen = outer !== undefined;
    if (outer === undefined) return;
    this.given = outer.given;
    this.made = outer.made;
    this.executor = outer.executor;
  }

  options(): FullOptions {
    return (this.made ??= fullOptions(this.given));
  }

  /** An executor of class-transformer within this call. */
  reference(): Executor {
    return (this.executor ??= makeExecutor(this.options(), this.reading));
  }

  /** @throws needsReference if a transform has written to options that affect the rest of the value */
  assertSameOptions(): void {
    if (this.made !== undefined && !decideTheSame(this.made, this.copy)) throw needsReference;
  }

  /** Restores the caller's arrays, since class-transformer is about to run the same transforms again. */
  restore(): void {
    if (this.made !== undefined) restoreLists(fullOptions(this.given), this.copy);
  }
}

/** The state of an interrupted call. */
export interface EnteredCall {
  readonly given: ClassTransformOptions | null | undefined;
  readonly made: FullOptions | undefined;
  readonly executor: Executor | undefined;
}
