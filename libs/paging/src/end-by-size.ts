/** The first rows of a list, as many as may be sent at once. */
export interface Portion<Row> {
  readonly rows: Row[];
  /** Whether rows were left out because of their size. */
  readonly isCut: boolean;
}

/**
 * Ends a list before its size exceeds a maximum. The first row is always included, so that a client that follows the next link
 * makes progress.
 *
 * @param sizeOf returns a size in the unit of `maxSize`
 */
export function endBySize<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  maxSize: number,
): Portion<Row> {
  let size = 0;
  const end = rows.findIndex((row, index) => (size += sizeOf(row)) > maxSize && index > 0);
  return end === -1 ? { rows: [...rows], isCut: false } : { rows: rows.slice(0, end), isCut: true };
}

/** The estimated size that a member adds to its text: quotes, a name, a number. */
const memberSize = 16;

/** Estimates the length of a row as JSON. Members that are not serialized count too, since they were read. */
export function textSize(value: unknown): number {
  if (typeof value === 'string') return value.length + memberSize;
  if (typeof value !== 'object' || value === null || value instanceof Date) return memberSize;
  let size = memberSize;
  for (const name in value) size += textSize(Reflect.get(value, name));
  return size;
}
