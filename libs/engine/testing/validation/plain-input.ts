import { readTransforms } from '../../src/shapes/transforms/transform-shape';
import { ValidationError } from 'class-validator';
import type { Checked, CompiledValidator } from '../../src/validation/validators/compiled-validator';
import type { CompileOptions } from '../../src/validation/plan/settings';

type Check = CompiledValidator<object>['check'];

/** The result for both sides where hardening deliberately differs from the libraries. */
const ANY: Checked<object> = { value: {} };

/**
 * Returns the expected results of a hardened function: the library results for input that hardening lets pass unchanged, an
 * error where the libraries throw because of the input, and any result except a thrown error for the rest.
 *
 * @param whole the property name for errors about the whole input
 */
export function hardenedAs(
  theirs: Check,
  type: new () => object,
  options: CompileOptions,
  whole?: string,
): Check {
  const isUsual = !options.transformOptions?.enableImplicitConversion && isPlainClass(type);
  return (input) => {
    if (!isUsual || !isPlainObject(input)) return ANY;
    try {
      const result = theirs(input);
      return result instanceof Promise ? result.catch((error) => unreadable(error, whole)) : result;
    } catch (error) {
      return unreadable(error, whole);
    }
  };
}

/** Returns the actual results of a hardened function, or {@link ANY} for other input if it does not throw. */
export function hardenedOf(ours: Check, type: new () => object, options: CompileOptions): Check {
  const isUsual = !options.transformOptions?.enableImplicitConversion && isPlainClass(type);
  return (input) => {
    if (isUsual && isPlainObject(input)) return ours(input);
    // Hardening takes what it refuses from its input.
    const result = ours(structuredClone(input));
    return result instanceof Promise ? result.then(() => ANY) : ANY;
  };
}

function unreadable(error: unknown, property: string | undefined): Checked<object> {
  const kinds = [TypeError, RangeError, URIError, SyntaxError];
  if (!kinds.some((kind) => error instanceof kind)) throw error;
  const constraints = { isReadable: 'the input cannot be read' };
  return { errors: [Object.assign(new ValidationError(), { property, constraints, children: [] })] };
}

/**
 * Whether a class and its parts are plain: they have no members, boolean conversions, or lists in properties for single values.
 */
function isPlainClass(type: Function, seen = new Set<unknown>()): boolean {
  if (seen.has(type)) return true;
  seen.add(type);
  for (
    let current = type.prototype as object;
    current !== Object.prototype;
    current = Object.getPrototypeOf(current) as object
  )
    if (Reflect.ownKeys(current).length > 1) return false;
  return [...readTransforms(type).typeOf].every(([name, { typeFunction, reflectedType, discriminator }]) => {
    if (SINGLE.has(Reflect.getMetadata('design:type', type.prototype, name))) return false;
    const part: unknown = typeFunction ? typeFunction() : reflectedType;
    const parts = [part, ...(discriminator?.subTypes.map(({ value }) => value) ?? [])];
    return parts.every(
      (candidate) => candidate !== Boolean && (!isOwnClass(candidate) || isPlainClass(candidate, seen)),
    );
  });
}

function isOwnClass(type: unknown): type is Function {
  return typeof type === 'function' && !NATIVE.has(type);
}

const SINGLE = new Set<unknown>([String, Number, Boolean, Date]);
const NATIVE = new Set<unknown>([String, Number, Date, Object, Array, Map, Set]);

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, raw]) =>
      !(name in Object.prototype) && name !== 'prototype' && name !== 'then' && isPlainValue(raw),
  );
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every((element) => !Array.isArray(element) && isPlainValue(element));
  return typeof value !== 'object' || value === null || isPlainObject(value);
}
