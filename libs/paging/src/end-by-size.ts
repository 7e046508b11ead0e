/** The first rows of a list, as many as may be sent at once. */
export interface Portion<Row> {
  readonly rows: Row[];
  /** Whether rows were left out because of their size. */
  readonly isCut: boolean;
}

/**
 * Ends a list before its rows become more than a bound, in whatever `sizeOf` counts. The first row is kept however large
 * it is, so that a reader who follows the next link always gets on.
 */
export function endBySize<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  most: number,
): Portion<Row> {
  let size = 0;
  const end = rows.findIndex((row, index) => (size += sizeOf(row)) > most && index > 0);
  return end === -1 ? { rows: [...rows], isCut: false } : { rows: rows.slice(0, end), isCut: true };
}

/** What a member costs beside its text: quotes, a name, a number. */
const memberSize = 16;

/** About how many characters a row becomes as JSON. Hidden members count too: the bound is meant for the work. */
export function textSize(value: unknown): number {
  if (typeof value === 'string') return value.length + memberSize;
  if (typeof value !== 'object' || value === null || value instanceof Date) return memberSize;
  let size = memberSize;
  for (const name in value) size += textSize(Reflect.get(value, name));
  return size;
}
