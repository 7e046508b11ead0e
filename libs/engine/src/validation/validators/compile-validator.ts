import type { ValidationError } from 'class-validator';
import type { Checked, CompiledValidator, InputType, PlainValidator } from './compiled-validator';
import { engineGeneration } from './checks';
import { type Engine, engineFor } from './engine';
import { runLibrary } from '../fallback/library';
import { explainClass } from './explain';
import { checkHardened } from './hardened';
import { plainValidator } from './plain-validator';
import { reportFallback } from '../../shapes/report-fallback';
import type { CompileOptions } from '../plan/settings';

/**
 * Compiles the decorators of a class to a function with the same results as both libraries, including the message order.
 *
 * The decorators are read at the first check. Decorators that run later, or a cleared metadata storage, cause a recompilation.
 *
 * @param options class-validator's and class-transformer's own, as in {@link CompileOptions}. With `instance: false`, plain values
 *   are tested, and none is converted.
 */
export function compileValidator(
  type: InputType,
  options: CompileOptions & { readonly instance: false },
): PlainValidator;
export function compileValidator<T extends object>(
  type: InputType<T>,
  options?: CompileOptions & { readonly instance?: true },
): CompiledValidator<T>;
export function compileValidator(
  type: InputType,
  { instance = true, ...chosen }: CompileOptions & { readonly instance?: boolean } = {},
): CompiledValidator<object> | PlainValidator {
  const options = chosen.groups ? { ...chosen, groups: [...chosen.groups] } : chosen;
  const find = engineFinder(options);
  const check = (value: unknown) => {
    const engine = find();
    if (options.hardened) return checkHardened(type, value, options, engine);
    return typeof engine === 'string'
      ? checkByLibrary(type, value, options, engine)
      : engine.check(type, value, options.transformOptions);
  };
  const validator = { check, explain: () => explainClass(type, find()) };
  return instance ? validator : plainValidator(type, validator, find);
}

/** Returns a function that finds the engine for the options. It searches again only if decorators have run meanwhile. */
export function engineFinder(options: CompileOptions): () => Engine | string {
  let generation = -1;
  let engine: Engine | string = '';
  return () => {
    if (engineGeneration() !== generation) {
      engine = engineFor(options, options.transformOptions, true);
      generation = engineGeneration();
    }
    return engine;
  };
}

/** Calls both libraries, and reports the reason, if compilation is not possible. */
function checkByLibrary(
  type: Function,
  value: unknown,
  options: CompileOptions,
  reason: string,
): Checked<object> | Promise<Checked<object>> {
  reportFallback(type, reason);
  const { instance, validate } = runLibrary(type, value, options);
  const result = (failures: ValidationError[]): Checked<object> =>
    failures.length > 0 ? { errors: failures } : { value: instance };
  const errors = validate();
  return Array.isArray(errors) ? result(errors) : errors.then(result);
}
