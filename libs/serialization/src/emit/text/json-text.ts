/** Thrown where text depends on where it stands; the whole value is then written by class-transformer. */
export const needsReference = new Error('this text is left to class-transformer');

/**
 * The text of a value that is to stand in text.
 *
 * @returns `undefined` for what JSON has no text for
 * @throws needsReference for a value that says how it is written: it is told the name it stands under
 */
export function jsonText(json: unknown): string | undefined {
  if (hasOwnWay(json)) throw needsReference;
  return JSON.stringify(json);
}

/** Dates and buffers do not care where they stand. */
function hasOwnWay(json: unknown): boolean {
  if (typeof json === 'bigint') return true;
  if ((typeof json !== 'object' && typeof json !== 'function') || json === null) return false;
  const { toJSON } = json as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' && !(json instanceof Date) && !Buffer.isBuffer(json);
}
