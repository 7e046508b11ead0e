import type { Checked } from './emit/engine';
import type { Explanation } from './explain';

export type { Checked } from './emit/engine';

/** A class of input. */
export type InputType<T extends object = object> = new () => T;

/** Checks values against one class. */
export interface CompiledValidator<T> {
  /**
   * Makes an instance of a plain value and validates it, as `plainToInstance` and `validate` do one after the other.
   *
   * @returns a promise only if a rule had to be waited for
   * @throws what the two libraries throw for the same value
   */
  check(value: unknown): Checked<T> | Promise<Checked<T>>;
  /** Says what was compiled, what runs through the library, and why. */
  explain(): Explanation;
}
