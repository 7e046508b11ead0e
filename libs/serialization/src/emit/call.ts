import type { Executor } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { decideTheSame, type FullOptions, fullOptions, restoreLists } from '../plan/options';
import { makeExecutor, type Manner } from '../plan/reference';
import { needsReference } from './text/json-text';

/**
 * One call of a writer: the options it was given, as transforms see them.
 *
 * class-transformer makes one options object for each call, and reads from it whatever a transform has written there.
 */
export class Call {
  /** As the caller gave them. */
  given: ClassTransformOptions | null | undefined;
  /** Made when somebody asks. */
  private made: FullOptions | undefined;
  private executor: Executor | undefined;
  private isOpen = false;
  private readonly copy: FullOptions;
  private readonly manner: Manner;

  /** @param copy what is compiled for */
  constructor(copy: FullOptions, manner: Manner) {
    this.copy = copy;
    this.manner = manner;
  }

  /** Puts a call in the place of another, which may be in the middle of a transform, and is put back behind it. */
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

  /** class-transformer in the middle of this call. */
  reference(): Executor {
    return (this.executor ??= makeExecutor(this.options(), this.manner));
  }

  /** @throws needsReference when a transform has written to the options what decides about the rest of the value */
  assertSameOptions(): void {
    if (this.made !== undefined && !decideTheSame(this.made, this.copy)) throw needsReference;
  }

  /** Undoes what transforms did to the caller's arrays, for class-transformer is about to run them again. */
  restore(): void {
    if (this.made !== undefined) restoreLists(fullOptions(this.given), this.copy);
  }
}

/** What a call that was interrupted goes on with. */
export interface EnteredCall {
  readonly given: ClassTransformOptions | null | undefined;
  readonly made: FullOptions | undefined;
  readonly executor: Executor | undefined;
}
