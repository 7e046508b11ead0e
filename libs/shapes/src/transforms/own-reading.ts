import { Transform, type TransformFnParams } from 'class-transformer';
import { type JsonSchema, transformMeaning } from '../wire/meaning';

/** Makes the value of a property from what was sent. */
export type Reading = (sent: unknown) => unknown;

const readings = new WeakMap<Function, Reading>();

/**
 * Declares how a field of an input is read, as `Transform` does on the way to a class, in such a way that the compiler
 * may call it itself. It is given the field as it was sent, whatever implicit conversion makes of it.
 *
 * @param read always gives the same for the same text, number, boolean or nothing; throws, waits for and changes nothing
 * @param meaning what it takes, in keywords of JSON Schema
 */
export function ownReading(read: Reading, meaning?: JsonSchema): PropertyDecorator {
  const transform = ({ value, obj, key }: TransformFnParams): unknown => {
    const fields = obj as Record<string, unknown>;
    return read(Object.hasOwn(fields, key) ? fields[key] : (value as unknown));
  };
  // It is named in a program's contract, by what it does.
  Object.defineProperty(transform, 'name', { value: read.name });
  readings.set(transform, read);
  if (meaning) transformMeaning(transform, meaning);
  return Transform(transform, { toClassOnly: true });
}

/** The reading behind a transform that was declared by {@link ownReading}. */
export function readingOf(transform: Function): Reading | undefined {
  return readings.get(transform);
}
