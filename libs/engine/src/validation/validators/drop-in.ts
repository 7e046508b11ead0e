import { prototypeOf } from '../../shapes/values';
import { validatorDialect } from '../../shapes/rules/reference';
import { decideTheSame } from '../../shapes/transforms/same-options';
import * as classTransformer from 'class-transformer';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import * as classValidator from 'class-validator';
import { Checks, engineEpoch, engineGeneration, Registry } from './checks';
import { type Engine, engineFor } from './engine';
import { reportFallback } from '../../shapes/report-fallback';

type TransformOptions = classTransformer.ClassTransformOptions;

/** The compiled `validate` from `class-validator`: the same errors in the same order, with rules that are read once. */
export function validate(object: object, options?: ValidatorOptions): Promise<ValidationError[]>;
export function validate(
  schema: string,
  object: object,
  options?: ValidatorOptions,
): Promise<ValidationError[]>;
export function validate(
  object: object | string,
  options?: object,
  third?: ValidatorOptions,
): Promise<ValidationError[]> {
  const engine = engineOf(object, options, awaited);
  if (!engine) return classValidator.validate(object as string, options as object, third);
  return Promise.resolve(engine.validate(object as object));
}

/** The compiled `validateSync` from `class-validator`, which skips asynchronous rules. */
export function validateSync(object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(schema: string, object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(
  object: object | string,
  options?: object,
  third?: ValidatorOptions,
): ValidationError[] {
  const engine = engineOf(object, options, atOnce);
  if (!engine) return classValidator.validateSync(object as string, options as object, third);
  return engine.validate(object as object) as ValidationError[];
}

/** The functions from the last call, because most callers have a single choice of options. */
class Last<Kind> {
  engine: Kind | undefined;
  /** The time at which it was found. */
  #time = -1;

  constructor(readonly ignoreAsync = false) {}

  isOf(time: number): boolean {
    return this.#time === time;
  }

  keep(engine: Kind | string, time: number): Kind | string {
    this.engine = typeof engine === 'string' ? undefined : engine;
    this.#time = time;
    return engine;
  }
}

const registry = /* @__PURE__ */ new Registry(Checks);
const awaited = /* @__PURE__ */ new Last<Checks>();
const atOnce = /* @__PURE__ */ new Last<Checks>(true);
/** The functions that create instances. They do not use the container, which may change. */
const making = /* @__PURE__ */ new Last<Engine>();

const NONE = {};
const UNKNOWN_ACCEPTED: ValidatorOptions = { forbidUnknownValues: false };

/** The reason for a fallback to class-validator, which reads inherited options too. */
const INHERITED = 'its options are inherited: give an object of its own, such as { ...options }';

/** @returns `undefined` for calls that fall back to the library: a schema name, an unknown version, debug messages */
function engineOf(
  object: object | string,
  options: object | undefined,
  last: Last<Checks>,
): Checks | undefined {
  if (typeof object === 'string' || (options !== undefined && typeof options !== 'object')) return undefined;
  const chosen = options ?? optionsOfNone();
  const cached = last.isOf(engineEpoch()) ? last.engine : undefined;
  if (cached?.isForRules(chosen)) return cached;
  const choice = { ...chosen, ignoreAsync: last.ignoreAsync, hardened: false, hidesParentValues: false };
  const engineOrReason = registry.find(choice, undefined);
  const isOwn = typeof engineOrReason === 'string' || engineOrReason.isForRules(chosen);
  const engine = last.keep(isOwn ? engineOrReason : INHERITED, engineEpoch());
  if (typeof engine !== 'string') return engine;
  reportFallback((object as object | null)?.constructor, engine);
  return undefined;
}

/** Returns class-validator's behaviour in calls without options: 0.14.0 forbids unknown values only in calls with options. */
function optionsOfNone(): ValidatorOptions {
  return validatorDialect()?.forbidsUnknownAlone === false ? UNKNOWN_ACCEPTED : NONE;
}

function makerOf(options: TransformOptions | null | undefined): Engine | string {
  const cached = making.isOf(engineGeneration()) ? making.engine : undefined;
  const own = options ? ownOf(options) : NONE;
  if (cached && decideTheSame(own, cached.transform)) return cached;
  return making.keep(engineFor(NONE, own), engineGeneration());
}

/** Returns the own options, because class-transformer reads only own options. */
function ownOf(options: TransformOptions): TransformOptions {
  return prototypeOf(options) === Object.prototype ? options : { ...options };
}

/** The compiled `validateOrReject` from `class-validator`, which rejects with the error list itself. */
export function validateOrReject(object: object, options?: ValidatorOptions): Promise<void>;
export function validateOrReject(schema: string, object: object, options?: ValidatorOptions): Promise<void>;
export async function validateOrReject(
  object: object | string,
  options?: object,
  third?: ValidatorOptions,
): Promise<void> {
  const errors = await validate(object as string, options as object, third);
  if (errors.length > 0) throw errors;
}

/** The compiled `plainToInstance` from `class-transformer`. */
export function plainToInstance<T, V>(
  type: classTransformer.ClassConstructor<T>,
  plain: V[],
  options?: TransformOptions,
): T[];
export function plainToInstance<T, V>(
  type: classTransformer.ClassConstructor<T>,
  plain: V,
  options?: TransformOptions,
): T;
export function plainToInstance(
  type: classTransformer.ClassConstructor<unknown>,
  plain: unknown,
  options?: TransformOptions,
): unknown {
  const engine = makerOf(options);
  if (typeof engine !== 'string') return engine.make(type, plain, options);
  reportFallback(type, engine);
  return classTransformer.plainToInstance(type, plain, options);
}
