import { whyNoRules } from '../../shapes/not-compiled';
import { instantiatesUnknownClasses } from '../../shapes/rules/container';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidationError } from 'class-validator';
import type { CompileOptions } from '../plan/settings';

/**
 * Returns the reason why nothing can be compiled, if any.
 *
 * @returns a sentence for `explain()`, or `undefined`
 */
export function whyLibrary(): string | undefined {
  if (!instantiatesUnknownClasses())
    return 'the container gives no instances of the library’s own validators';
  return whyNoRules();
}

/** Calls the two libraries, which are the reference, and the fallback if nothing is compiled. */
export function runLibrary(
  type: Function,
  value: unknown,
  options: CompileOptions,
): { instance: object; validate: () => ValidationError[] | Promise<ValidationError[]> } {
  const instance = plainToInstance(type as new () => object, value, options.transformOptions) as object;
  return { instance, validate: () => validateByLibrary(instance, options) };
}

/** Calls `validate` or `validateSync`, depending on the options. */
export function validateByLibrary(
  instance: object,
  options: CompileOptions,
): ValidationError[] | Promise<ValidationError[]> {
  const { transformOptions: _, ignoreAsync, hardened: __, hidesParentValues: ___, ...rules } = options;
  return ignoreAsync ? validateSync(instance, rules) : validate(instance, rules);
}
