import { readRules, type RuleShape } from '../../shapes/rules/rule-shape';
import { andThen, hasPlainPrototype, isRecord, prototypeOf } from '../../shapes/values';
import type { ValidationError } from 'class-validator';
import type { Checked } from './engine';
import type { Engine } from './engine';
import { runLibrary } from '../fallback/library';
import { reportFallback } from '../../shapes/report-fallback';
import { type CompileOptions, readSettings } from '../plan/settings';
import { inspectInput } from '../hardening/inspect-input';
import { findMisplacedLists } from '../hardening/misplaced-lists';
import { removeMembers, withUnknownMembers } from '../hardening/unknown-members';
import { isOverrun, toError, type UnsafeInput, unreadableInput } from '../hardening/unsafe-input';

type Result = Checked<object> | Promise<Checked<object>>;

/** The context that a caller passes in addition to the input. */
export interface HardenedContext {
  /** The property name for errors about the whole input. */
  readonly whole?: string | undefined;
  /** Reports that a rule or a transform threw because of the input. */
  onOverrun?(error: Error): void;
}

/**
 * Validates untrusted input, and fails closed. In addition to the rules, it rejects:
 *
 * - values that are not plain objects, and a list in place of an object within the input;
 * - input that is nested too deep, too large, or not well-formed text (`inspectInput`);
 * - where a boolean is converted: all values except booleans and the strings `true` and `false`, which are converted;
 * - with `forbidNonWhitelisted`: fields named like members of their class, which the libraries silently drop;
 * - an input at which a rule or a transform throws a built-in JavaScript error (`TypeError` and its kin).
 *
 * The input may be changed in place.
 *
 * @param engine the engine for the options, or the reason why it is missing
 */
export function checkHardened(
  type: Function,
  value: unknown,
  options: CompileOptions,
  engine: Engine | string,
  context: HardenedContext = {},
): Result {
  const plain = asPlainObject(value);
  if (plain === undefined) return refused(notAnObject, context);
  return checkPlain(type, { value, plain }, options, engine, context);
}

/** A value, and the result of {@link asPlainObject} for it. */
export interface PlainValue {
  readonly value: unknown;
  readonly plain: object;
}

/** Works like {@link checkHardened}, for a value that is already known to be a plain object. */
export function checkPlain(
  type: Function,
  { value, plain }: PlainValue,
  options: CompileOptions,
  engine: Engine | string,
  context: HardenedContext,
): Result {
  try {
    const guarded =
      typeof engine === 'string' ? undefined : engine.checkGuarded(type, plain, options.transformOptions);
    const result = guarded ?? checkOnSlowPath(type, value as object, options, engine, context);
    return result instanceof Promise ? result.catch((error) => rejectOverrun(error, context)) : result;
  } catch (error) {
    return rejectOverrun(error, context);
  }
}

/**
 * Returns an object as in JSON and query strings, or `undefined` for any other value. Fastify's query and path objects inherit
 * from an empty object without a prototype, so they are copied to an object with the usual prototype.
 */
export function asPlainObject(value: unknown): object | undefined {
  if (!isRecord(value)) return undefined;
  if (hasPlainPrototype(value)) return value;
  const prototype = prototypeOf(value)!;
  if (prototypeOf(prototype) !== null) return undefined;
  return Reflect.ownKeys(prototype).length === 0 ? { ...value } : value;
}

function checkOnSlowPath(
  type: Function,
  value: object,
  options: CompileOptions,
  engine: Engine | string,
  context: HardenedContext,
): Result {
  const { unsafe, members } = inspectInput(type, value, options.transformOptions);
  if (unsafe) return refused(unsafe, context);
  removeMembers(members);
  const { instance, validate } = makeOf(type, value, options, engine);
  const isUnknown = members.length > 0 && options.forbidNonWhitelisted;
  const rulesOf = rulesReader(options, engine);
  const errors = isUnknown ? withUnknownMembers(members, instance, rulesOf, validate) : validate();
  return andThen(errors, (settled) => {
    const problems = settled.length > 0 ? settled : findMisplacedLists(instance, rulesOf);
    return problems.length > 0 ? { errors: problems } : { value: instance };
  });
}

/** Creates an instance, and returns it with the function that validates it. */
function makeOf(
  type: Function,
  value: object,
  options: CompileOptions,
  engine: Engine | string,
): { instance: object; validate: () => ValidationError[] | Promise<ValidationError[]> } {
  if (typeof engine !== 'string') {
    const instance = engine.make(type, value, options.transformOptions) as object;
    return { instance, validate: () => engine.validate(instance) };
  }
  reportFallback(type, engine);
  return runLibrary(type, value, options);
}

const notAnObject: UnsafeInput = { rule: 'isObject', message: 'an object is expected', path: [] };

function refused(unsafe: UnsafeInput, { whole }: HardenedContext): { errors: ValidationError[] } {
  return { errors: [toError(unsafe, whole)] };
}

/** Rejects input that made foreign code throw. Errors that are thrown deliberately are rethrown. */
function rejectOverrun(error: unknown, context: HardenedContext): { errors: ValidationError[] } {
  if (!isOverrun(error)) throw error;
  context.onOverrun?.(error);
  return refused(unreadableInput, context);
}

/** Returns a function that reads class rules. They come from the plan, or from the decorators if nothing is compiled. */
function rulesReader(options: CompileOptions, engine: Engine | string): (type: Function) => RuleShape {
  if (typeof engine !== 'string') return (type) => engine.planner.rulesOf(type);
  const settings = readSettings(options);
  return (type) => readRules(type, settings);
}
