type Fields = Record<string, unknown>;

const { forEach } = Array.prototype;

/**
 * Whether a list has single values only, and no holes: its conversion is a copy. Its prototype is not asked for, which
 * takes longer than all the rest.
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
    Object.getPrototypeOf(value) === Object.prototype &&
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

/** Whether a value is converted field by field: not a date, buffer, set, map or promise, nor converted to one. */
export function isOrdinary(value: object, type: unknown): boolean {
  if (type === String || type === Number || type === Boolean || type === Date || type === Buffer)
    return false;
  if (Object.getPrototypeOf(value) === Object.prototype)
    return typeof (value as Fields)['then'] !== 'function';
  if (value instanceof Date || value instanceof Set || value instanceof Map) return false;
  return !ArrayBuffer.isView(value) && typeof (value as Fields)['then'] !== 'function';
}

/** An untyped object keeps the class of its `constructor`, except an object with the class of a list. */
export function typeInside(value: object): unknown {
  const { constructor } = value;
  return constructor === Object || (constructor as unknown) === Array ? undefined : constructor;
}
