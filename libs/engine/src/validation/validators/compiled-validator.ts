import type { Checked } from './engine';
import type { Explanation } from './explain';

export type { Checked } from './engine';

/** The class of an input. */
export type InputType<T extends object = object> = new () => T;

/** Validates values against a class. */
export interface CompiledValidator<T> {
  /**
   * Converts a plain value to an instance and validates it, like `plainToInstance` followed by `validate`.
   *
   * @returns a promise only if a rule is asynchronous
   * @throws the same errors as the two libraries for the same value
   */
  check(value: unknown): Checked<T> | Promise<Checked<T>>;
  /** Describes which parts are compiled, which parts fall back to the library, and why. */
  explain(): Explanation;
}
