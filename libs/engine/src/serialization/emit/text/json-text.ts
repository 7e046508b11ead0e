/** Thrown if the text of a value depends on its position; class-transformer then writes the whole value. */
export const needsReference = new Error('class-transformer has to write this value');

/** Whether class-transformer has to write the value: also one that is nested too deep for functions that call each other. */
export function isReferences(error: unknown): boolean {
  return error === needsReference || (error instanceof RangeError && /call stack/.test(error.message));
}

/**
 * The text of a value inside other text.
 *
 * @returns `undefined` for values without JSON text
 * @throws needsReference for a value with `toJSON`, which would be called with its key
 */
export function jsonText(json: unknown): string | undefined {
  if (hasOwnText(json)) throw needsReference;
  return JSON.stringify(json);
}

/** Dates and buffers ignore their key. */
function hasOwnText(json: unknown): boolean {
  if (typeof json === 'bigint') return true;
  if ((typeof json !== 'object' && typeof json !== 'function') || json === null) return false;
  const { toJSON } = json as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' && !(json instanceof Date) && !Buffer.isBuffer(json);
}
