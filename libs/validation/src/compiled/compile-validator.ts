import { canAssemble, rulesGeneration, transformsGeneration } from '@app/shapes';
import type { ValidationError } from 'class-validator';
import { compileInstances } from './instance/compile-instance';
import { stripEmpty } from './instance/strip';
import { runLibrary, whyLibrary } from './library';
import { type CompileOptions, readSettings } from './settings';
import { compileTransform, type Convert } from './transform/compile-transform';
import { planClass } from './written/plan';
import { writeProgram } from './written/write-program';

/** A class of input. */
export type InputType<T extends object = object> = new () => T;

/** What a check says: the instance, or class-validator's errors. */
export type Checked<T> = { readonly value: T } | { readonly errors: ValidationError[] };

/** Checks values against one class. */
export interface CompiledValidator<T> {
  /**
   * Makes an instance of a plain value and validates it, as `plainToInstance` and `validate` do one after the other.
   *
   * @returns a promise only if a rule had to be waited for
   * @throws what the two libraries throw for the same value
   */
  check(value: unknown): Checked<T> | Promise<Checked<T>>;
}

type Check<T> = CompiledValidator<T>['check'];

/**
 * Compiles what decorators say about a class to a function, equal to the two libraries down to the order of messages.
 *
 * Nothing is read before the first check. Decorators that run later, a storage that is cleared, or another container
 * make it compile anew.
 *
 * @param options class-validator's and class-transformer's own, as in {@link CompileOptions}
 */
export function compileValidator<T extends object>(
  type: InputType<T>,
  options: CompileOptions = {},
): CompiledValidator<T> {
  let generation = -1;
  let check: Check<T>;
  return {
    check(value) {
      if (rulesGeneration() + transformsGeneration() !== generation) {
        check = compile(type, options, (better) => (check = better));
        generation = rulesGeneration() + transformsGeneration();
      }
      return check(value);
    },
  };
}

/** @param improve told of a check that is to take the place of the one returned */
function compile<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  improve: (better: Check<T>) => void,
): Check<T> {
  if (whyLibrary(options) !== undefined) return (value) => checkByLibrary(type, value, options);
  const convert = compileTransform(options.transformOptions);
  const exact = compileClosures(type, options, convert);
  if (options.generateCode === false || !canAssemble()) return exact;
  try {
    return compileWritten(type, options, convert, exact, improve);
  } catch {
    return exact;
  }
}

/** How often a program is written anew for another order of keys: a client cannot make us do so without end. */
const MOST_LESSONS = 4;

/** @throws NotPlanned where a class cannot be done in one pass */
function compileWritten<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  convert: Convert,
  exact: Check<T>,
  improve: (better: Check<T>) => void,
): Check<T> {
  const settings = readSettings(options);
  const plan = planClass(type, settings, options.transformOptions);
  const keyOrders = new Map<Function, readonly string[]>();
  let lessons = 0;
  const write = (): Check<T> =>
    writeProgram(plan, { settings, options: options.transformOptions, convert, exact, keyOrders, learn })
      .made as Check<T>;
  const learn = (of: Function, keys: readonly string[]): void => {
    lessons += 1;
    if (lessons > MOST_LESSONS) return;
    keyOrders.set(of, keys);
    improve(write());
  };
  return write();
}

function checkByLibrary<T extends object>(
  type: InputType<T>,
  value: unknown,
  options: CompileOptions,
): Checked<T> | Promise<Checked<T>> {
  const { instance, errors } = runLibrary(type, value, options);
  const answer = (found: ValidationError[]) => answerOf(instance as T, found);
  return Array.isArray(errors) ? answer(errors) : errors.then(answer);
}

function compileClosures<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  convert: Convert,
): Check<T> {
  const settings = readSettings(options);
  const checkInstance = compileInstances(settings);
  return (value) => {
    if (typeof value === 'string' || value instanceof Map) return checkByLibrary(type, value, options);
    const instance = convert(value, type) as T;
    const errors: ValidationError[] = [];
    const pending: PromiseLike<unknown>[] = [];
    checkInstance(instance, errors, { pending });
    if (pending.length === 0) return answerOf(instance, errors);
    if (settings.ignoreAsync) return answerOf(instance, stripEmpty(errors));
    return Promise.all(pending).then(() => answerOf(instance, stripEmpty(errors)));
  };
}

function answerOf<T>(value: T, errors: ValidationError[]): Checked<T> {
  return errors.length > 0 ? { errors } : { value };
}
