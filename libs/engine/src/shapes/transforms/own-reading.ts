import { Transform, type TransformFnParams } from 'class-transformer';
import { type JsonSchema, transformMeaning } from '../wire/meaning';

/** Converts a sent value to the value of a property. */
export type Reading = (sent: unknown) => unknown;

const readings = new WeakMap<Function, Reading>();

/**
 * Declares how an input field is converted, like `Transform` with `toClassOnly`, by a function that the compiler may call
 * directly. The function gets the field as it was sent, before any implicit conversion.
 *
 * @param read a pure function for a string, number, boolean, null or undefined that does not throw or wait
 * @param meaning the accepted values, as JSON Schema keywords
 */
export function ownReading(read: Reading, meaning?: JsonSchema): PropertyDecorator {
  const transform = ({ value, obj, key }: TransformFnParams): unknown => {
    const fields = obj as Record<string, unknown>;
    return read(Object.hasOwn(fields, key) ? fields[key] : (value as unknown));
  };
  // The lock file has its name, which says what it does.
  Object.defineProperty(transform, 'name', { value: read.name });
  readings.set(transform, read);
  if (meaning) transformMeaning(transform, meaning);
  return Transform(transform, { toClassOnly: true });
}

/** Returns the conversion of a transform that {@link ownReading} declared. */
export function readingOf(transform: Function): Reading | undefined {
  return readings.get(transform);
}
