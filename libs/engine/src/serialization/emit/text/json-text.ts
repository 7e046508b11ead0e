import { isFunction } from '../../../shapes/values';
/** The error thrown if a value's text depends on its position; class-transformer then writes the whole value. */
export const needsReference = new Error('class-transformer has to write this value');

/**
 * Whether class-transformer has to write the value, for example because it is nested too deep for functions that call each
 * other.
 */
export function isReferences(error: unknown): boolean {
  return error === needsReference || (error instanceof RangeError && /call stack/.test(error.message));
}

/**
 * Returns the text of a value inside other text.
 *
 * @returns `undefined` for values without JSON text
 * @throws needsReference for a value with `toJSON`, because class-transformer would call it with a key
 */
export function jsonText(json: unknown): string | undefined {
  if (hasOwnText(json)) throw needsReference;
  return JSON.stringify(json);
}

/** Whether a value has a `toJSON` that depends on its key. Dates and buffers ignore their key. */
function hasOwnText(json: unknown): boolean {
  if (typeof json === 'bigint') return true;
  if ((typeof json !== 'object' && !isFunction(json)) || json === null) return false;
  const { toJSON } = json as { readonly toJSON?: unknown };
  return isFunction(toJSON) && !(json instanceof Date) && !Buffer.isBuffer(json);
}
