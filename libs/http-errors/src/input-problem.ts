/** One invalid value of a request. */
export interface InputProblem {
  /** The part of the request that has the value. */
  readonly in: 'body' | 'query' | 'path' | 'header';
  /** JSON Pointer to the value in that part, such as `/items/0/quantity`; empty for the whole part. */
  readonly pointer: string;
  /** The violated rule, such as `minLength`; never changes. */
  readonly code: string;
  /** The arguments of the rule, such as `{ min: 8 }`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** One sentence in English. */
  readonly detail: string;
}

/** The invalid values of a request, of which only the first are listed. */
export interface InputProblems {
  readonly listed: readonly InputProblem[];
  /** The number of those that are not listed. */
  readonly omitted: number;
}

/** Longer ones name the nearest enclosing value: names of fields may come from the input. */
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
