import { prototypeOf } from '../../shapes/values';
type Fields = Record<string, unknown>;

const { forEach } = Array.prototype;

/**
 * Whether a list contains only single values and no holes, so that its conversion is a copy. Reading the prototype would take
 * longer than all the rest, so it is skipped.
 */
export function isFlat(list: readonly unknown[]): boolean {
  const type: unknown = list.constructor;
  if (type !== Array || list.forEach !== forEach) return false;
  for (let at = 0; at < list.length; at++) {
    const element = list[at];
    if (typeof element === 'object' ? element !== null : element === undefined) return false;
  }
  return true;
}

/** Whether an untyped object becomes a plain object. */
export function isPlain(value: object): boolean {
  return (
    prototypeOf(value) === Object.prototype &&
    typeof (value as Fields)['then'] !== 'function' &&
    value.constructor === Object
  );
}

/** Converts a value that is not an object. */
export function convertSingle(value: unknown, type: unknown): unknown {
  if (type === undefined || value === null || value === undefined) return value;
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Boolean) return Boolean(value);
  if (type === Date) return new Date(value as string);
  return type === Buffer ? Buffer.from(value as string) : value;
}

/**
 * Whether a value is converted field by field. The exceptions are dates, buffers, sets, maps, promises, and values with a
 * built-in target type.
 */
export function isOrdinary(value: object, type: unknown): boolean {
  if (type === String || type === Number || type === Boolean || type === Date || type === Buffer)
    return false;
  if (prototypeOf(value) === Object.prototype) return typeof (value as Fields)['then'] !== 'function';
  if (value instanceof Date || value instanceof Set || value instanceof Map) return false;
  return !ArrayBuffer.isView(value) && typeof (value as Fields)['then'] !== 'function';
}

/** Returns the class that an untyped object keeps: its `constructor`, except for plain objects and the list class. */
export function typeInside(value: object): unknown {
  const { constructor } = value;
  return constructor === Object || (constructor as unknown) === Array ? undefined : constructor;
}
