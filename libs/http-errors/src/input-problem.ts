/** An invalid value in a request. */
export interface InputProblem {
  /** The request part with the value. */
  readonly in: 'body' | 'query' | 'path' | 'header';
  /** The JSON Pointer to the value in that part, such as `/items/0/quantity`; empty for the whole part. */
  readonly pointer: string;
  /** The violated rule, such as `minLength`; never changes. */
  readonly code: string;
  /** The rule's arguments, such as `{ min: 8 }`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The detail: a sentence in English. */
  readonly detail: string;
}

/** The invalid values in a request. Only the first values are listed. */
export interface InputProblems {
  readonly listed: readonly InputProblem[];
  /** The number of unlisted values. */
  readonly omitted: number;
}

/**
 * The maximum pointer length. A longer pointer names the nearest enclosing value, because field names may come from the input.
 */
const maxPointerLength = 500;

/**
 * Writes a JSON Pointer.
 *
 * @param path names and indexes, from the outermost
 * @see RFC 6901 §3
 */
export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const part of path) {
    const next = `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (next.length > maxPointerLength) return pointer;
    pointer = next;
  }
  return pointer;
}
