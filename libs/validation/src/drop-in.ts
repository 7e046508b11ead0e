import * as classTransformer from 'class-transformer';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import * as classValidator from 'class-validator';
import { type Engine, engineEpoch, engineFor, engineGeneration } from './emit/engine';
import { EngineOfOptions } from './emit/engine-of-options';
import { reportFallback } from './report-fallback';
import type { CompileOptions } from './plan/settings';

type TransformOptions = classTransformer.ClassTransformOptions;

/** `class-validator`'s `validate`: the same errors in the same order, with rules that are read once. */
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

/** `class-validator`'s `validateSync`: asynchronous rules are skipped. */
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

/** @returns `undefined` for calls that fall back to the library: a schema name, an unknown version, debug messages */
function engineOf(
  object: object | string,
  options: object | undefined,
  engines: EngineOfOptions<ValidatorOptions>,
): Engine | undefined {
  if (typeof object === 'string' || (options !== undefined && typeof options !== 'object')) return undefined;
  const engine = engines.engineFor(options ?? undefined);
  if (typeof engine !== 'string') return engine;
  reportFallback((object as object | null)?.constructor, engine);
  return undefined;
}

const enginesFor = (ignoreAsync: boolean) =>
  new EngineOfOptions<ValidatorOptions>(
    (given) => engineFor({ ...(given as CompileOptions), ignoreAsync, hardened: false }, undefined),
    engineEpoch,
  );

const awaited = enginesFor(false);
const atOnce = enginesFor(true);
/** Instances are created without the container, which may change. */
const making = new EngineOfOptions<TransformOptions>((given) => engineFor({}, given), engineGeneration);

/** `class-validator`'s `validateOrReject`: rejects with the list of errors itself. */
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

/** `class-transformer`'s `plainToInstance`. */
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
  const engine = making.engineFor(options ?? undefined);
  if (typeof engine !== 'string') return engine.make(type, plain, options);
  reportFallback(type, engine);
  return classTransformer.plainToInstance(type, plain, options);
}
