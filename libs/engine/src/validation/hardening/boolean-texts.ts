const words = new Map<unknown, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  [true, true],
  [false, false],
  [null, null],
  [undefined, undefined],
]);

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
