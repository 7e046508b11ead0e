import * as classTransformer from 'class-transformer';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import * as classValidator from 'class-validator';
import { stripEmpty } from './instance/strip';
import { checkerFor, converterFor } from './kept';

type TransformOptions = classTransformer.ClassTransformOptions;

/** As `class-validator` takes it: an object and options, or the name of a schema before both. */
type Given = [object: object | string, second?: unknown, third?: ValidatorOptions];

/** `class-validator`'s `validate`: the same errors in the same order, from rules that were read once. */
export function validate(object: object, options?: ValidatorOptions): Promise<ValidationError[]>;
export function validate(
  schema: string,
  object: object,
  options?: ValidatorOptions,
): Promise<ValidationError[]>;
export function validate(...given: Given): Promise<ValidationError[]> {
  const check = checkerFor(given[0], given[1], false);
  if (!check) return classValidator.validate(...(given as [object, ValidatorOptions]));
  const errors: ValidationError[] = [];
  const pending: PromiseLike<unknown>[] = [];
  check(given[0] as object, errors, { pending });
  if (pending.length === 0) return Promise.resolve(errors);
  return Promise.all(pending).then(() => stripEmpty(errors));
}

/** `class-validator`'s `validateSync`: asynchronous rules are left out. */
export function validateSync(object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(schema: string, object: object, options?: ValidatorOptions): ValidationError[];
export function validateSync(...given: Given): ValidationError[] {
  const check = checkerFor(given[0], given[1], true);
  if (!check) return classValidator.validateSync(...(given as [object, ValidatorOptions]));
  const errors: ValidationError[] = [];
  const pending: PromiseLike<unknown>[] = [];
  check(given[0] as object, errors, { pending });
  return pending.length === 0 ? errors : stripEmpty(errors);
}

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
  const convert = plain instanceof Map ? undefined : converterFor(options);
  return convert ? convert(plain, type) : classTransformer.plainToInstance(type, plain, options);
}

/** Fits the stock pipe's option `validatorPackage`: class-validator, these functions in the place of its own. */
export const validatorPackage = { ...classValidator, validate, validateSync, validateOrReject };

/** Fits the stock pipe's option `transformerPackage`. */
export const transformerPackage = {
  ...classTransformer,
  plainToInstance,
  plainToClass: plainToInstance,
  classToPlain: classTransformer.instanceToPlain,
};
