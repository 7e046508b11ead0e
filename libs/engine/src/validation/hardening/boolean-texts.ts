import { propertyOf } from '../../shapes/transforms/declared-rules';
import { selectTransforms } from '../../shapes/transforms/selection';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import type { ClassTransformOptions } from 'class-transformer';
import { classOfProperty } from './declared-types';
import { isPlain, type UnsafeInput } from './unsafe-input';

const words = new Map<unknown, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  [true, true],
  [false, false],
  [null, null],
  [undefined, undefined],
]);

/**
 * Converts the strings `true` and `false` wherever class-transformer would convert any value to a boolean by its
 * truthiness, for which `'false'` and `'no'` are true. A property with a transform of its own is not changed.
 *
 * Works in place, since an input belongs to its request.
 *
 * @returns the first value at such a place that is not a boolean
 */
export function readBooleans(
  type: Function,
  value: unknown,
  options: ClassTransformOptions = {},
  path: readonly string[] = [],
): UnsafeInput | undefined {
  if (!isPlain(value)) return undefined;
  for (const name of Object.keys(value)) {
    const raw: unknown = Reflect.get(value, name);
    const inside = [...path, name];
    const fault = Array.isArray(value)
      ? readBooleans(type, raw, options, inside)
      : readField(type, value, { name, raw, options, path: inside });
    if (fault) return fault;
  }
  return undefined;
}

/** A field: its name in the input, its value, and its path. */
interface Field {
  readonly name: string;
  readonly raw: unknown;
  readonly options: ClassTransformOptions;
  readonly path: readonly string[];
}

function readField(type: Function, object: object, field: Field): UnsafeInput | undefined {
  const { name, raw, options, path } = field;
  const property = propertyOf(type, name);
  if (!becomesBoolean(type, property, options))
    return isPlain(raw) ? readBooleans(classOfProperty(type, property, raw), raw, options, path) : undefined;
  const read = readBoolean(raw);
  if (read === unreadable) return { rule: 'isBoolean', message: `${property} must be a boolean value`, path };
  Reflect.set(object, name, read);
  return undefined;
}

export const unreadable = Symbol('unreadable');

/**
 * Converts a value where a boolean is expected.
 *
 * @returns {@link unreadable} for a value that is not a boolean, null, undefined, or a list of these
 */
export function readBoolean(raw: unknown): unknown {
  if (!Array.isArray(raw)) return words.has(raw) ? words.get(raw) : unreadable;
  const read = raw.map(readBoolean);
  return read.includes(unreadable) ? unreadable : read;
}

function becomesBoolean(type: Function, property: string, options: ClassTransformOptions): boolean {
  const shape = readTransforms(type);
  const { typeFunction, reflectedType } = shape.typeOf.get(property) ?? {};
  const noted: unknown =
    options.enableImplicitConversion && Reflect.getMetadata('design:type', type.prototype, property);
  const asked: unknown = typeFunction?.length === 0 ? typeFunction() : reflectedType;
  const target = shape.typeOf.has(property) ? asked : noted;
  return target === Boolean && selectTransforms(shape, property, 'toClass', options).length === 0;
}
