import { canAssemble, rulesGeneration, transformsGeneration } from '@app/shapes';
import type { ValidationError } from 'class-validator';
import type { Checked, CompiledValidator, InputType } from './compiled-validator';
import { type Explanation, explainRules } from './explain';
import { harden } from './hardened';
import { compileInstances } from './instance/compile-instance';
import { stripEmpty } from './instance/strip';
import { runLibrary, whyLibrary } from './library';
import { type CompileOptions, readSettings } from './settings';
import { compileTransform, type Convert } from './transform/compile-transform';
import { closureValidator } from './emit/closure-validator';
import { closureReader } from './emit/closure-reader';
import { isValidated } from './emit/is-validated';
import { planClass } from './emit/plan';
import { writeProgram } from './emit/emit-program';

type Check<T> = CompiledValidator<T>['check'];

/**
 * Compiles what decorators say about a class to a function, equal to the two libraries down to the order of messages.
 *
 * Nothing is read before the first check. Decorators that run later, a storage that is cleared, or another container
 * make it compile anew.
 *
 * @param given class-validator's and class-transformer's own, as in {@link CompileOptions}
 */
export function compileValidator<T extends object>(
  type: InputType<T>,
  given: CompileOptions = {},
): CompiledValidator<T> {
  const options = given.groups ? { ...given, groups: [...given.groups] } : given;
  if (options.hardened) return harden(type, options, compileValidator(type, { ...options, hardened: false }));
  let generation = -1;
  let compiled: Compilation<T>;
  const refresh = (): void => {
    if (rulesGeneration() + transformsGeneration() === generation) return;
    compiled = compile(type, options, (better) => (compiled = better));
    generation = rulesGeneration() + transformsGeneration();
  };
  return {
    check(value) {
      if (rulesGeneration() + transformsGeneration() !== generation) refresh();
      return compiled.check(value);
    },
    explain() {
      refresh();
      const { how, why, source } = compiled;
      return { how, why, source: source?.(), rules: how === 'library' ? [] : explainRules(type, options) };
    },
  };
}

/** What came of compiling a class. */
interface Compilation<T> {
  readonly check: Check<T>;
  readonly how: Explanation['how'];
  readonly why: string | undefined;
  readonly source: (() => string) | undefined;
}

/** @param improve told of what is to take the place of the one returned */
function compile<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  improve: (better: Compilation<T>) => void,
): Compilation<T> {
  const reason = whyLibrary(options);
  if (reason !== undefined)
    return {
      check: (value) => checkByLibrary(type, value, options),
      how: 'library',
      why: reason,
      source: undefined,
    };
  const convert = compileTransform(options.transformOptions);
  const exact = compileClosures(type, options, convert);
  const closures = (why: string, check = exact): Compilation<T> => ({
    check,
    how: 'closures',
    why,
    source: undefined,
  });
  if (options.generateCode === false || !canAssemble()) {
    const why =
      options.generateCode === false ? 'generateCode is false' : 'code generation is forbidden here';
    return closures(why, compileFirstTry(type, options, convert, exact));
  }
  try {
    return compileWritten(type, options, convert, exact, improve);
  } catch (error) {
    return closures(error instanceof Error ? error.message : String(error));
  }
}

/** One pass without written code; it changes nothing, so whatever it gives up on is judged from the start. */
function compileFirstTry<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  convert: Convert,
  exact: Check<T>,
): Check<T> {
  const settings = readSettings(options);
  const plan = planned(() => planClass(type, settings, options.transformOptions));
  if (!plan) return exact;
  const isImplicit = Boolean(options.transformOptions?.enableImplicitConversion);
  const read = closureReader(plan, settings, convert);
  const judges = isValidated(plan);
  let judge: ((value: object) => unknown) | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return exact(value);
    try {
      const made = read(value);
      if (made !== undefined) return { value: made as T };
      if (!judges) return exact(value);
      judge ??= closureValidator(plan, settings, convert, isImplicit);
      return judge(value) as Checked<T>;
    } catch {
      return exact(value);
    }
  };
}

function planned<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
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
  improve: (better: Compilation<T>) => void,
): Compilation<T> {
  const settings = readSettings(options);
  const keyOrders = new Map<Function, readonly string[]>();
  let lessons = 0;
  const write = (): Compilation<T> => {
    const order = {
      settings,
      options: options.transformOptions,
      convert,
      exact,
      keyOrders,
      learn,
      guardsText: false,
    };
    const { check, source } = writeProgram(() => planClass(type, settings, order.options), order);
    return { check: check as Check<T>, how: 'code', why: undefined, source };
  };
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
