import * as classTransformer from 'class-transformer';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import * as classValidator from 'class-validator';
import { type Engine, engineEpoch, engineFor } from './emit/engine';
import { EngineOfOptions } from './emit/engine-of-options';
import { reportFallback } from './report-fallback';
import type { CompileOptions } from './plan/settings';

type TransformOptions = classTransformer.ClassTransformOptions;

/** The arguments of `class-validator`: an object and options, with an optional schema name before them. */
type Given = [object: object | string, second?: unknown, third?: ValidatorOptions];

/** `class-validator`'s `validate`: the same errors in the same order, with rules that are read once. */
export function validate(object: object, options?: ValidatorOptions): Promise<ValidationError[]>;
export function validate(
  schema: string,
  object: object,
  options?: ValidatorOptions,
): Promise<ValidationError[]>;
export function validate(...given: Given): Promise<ValidationError[]> {
  const engine = engineOf(given, false);
  if (!engine) return classValidator.validate(...(given as [object, ValidatorOptions]));
  return Promise.resolve(engine.validate(given[0] as object));
}

/** `class-validator`'s `validateSync`: asynchronous rules are skipped. */
export function validateSync(object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(schema: string, object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(...given: Given): ValidationError[] {
  const engine = engineOf(given, true);
  if (!engine) return classValidator.validateSync(...(given as [object, ValidatorOptions]));
  return engine.validate(given[0] as object) as ValidationError[];
}

/** @returns `undefined` for calls that fall back to the library: a schema name, an unknown version, debug messages */
function engineOf([object, given]: Given, ignoreAsync: boolean): Engine | undefined {
  if (typeof object === 'string' || (given !== undefined && typeof given !== 'object')) return undefined;
  const engines = ignoreAsync ? atOnce : awaited;
  const engine = engines.engineFor((given as ValidatorOptions | null) ?? undefined);
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
const making = new EngineOfOptions<TransformOptions>((given) => engineFor({}, given), engineEpoch);

/** `class-validator`'s `validateOrReject`: rejects with the list of errors itself. */
export function validateOrReject(object: object, options?: ValidatorOptions): Promise<void>;
export function validateOrReject(schema: string, object: object, options?: ValidatorOptions): Promise<void>;
export async function validateOrReject(...given: Given): Promise<void> {
  const errors = await validate(...(given as [object, ValidatorOptions]));
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
