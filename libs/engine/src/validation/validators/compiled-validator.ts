import type { ValidationError } from 'class-validator';
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

/** Tests plain values against a class, without an instance where a program cannot observe its creation. */
export interface PlainValidator {
  /**
   * Tells whether {@link CompiledValidator.check} would accept the value. A class that needs no instance stops at the first failed
   * rule, also where the libraries would throw.
   *
   * @returns a promise only if a rule is asynchronous
   */
  test(value: unknown): boolean | Promise<boolean>;
  /** Returns the errors from {@link CompiledValidator.check}; an empty list if the value is valid. */
  errors(value: unknown): ValidationError[] | Promise<ValidationError[]>;
  /** Describes the class; `whyInstance` is the reason why an instance is created. */
  explain(): Explanation;
}
