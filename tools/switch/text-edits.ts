/** A replacement for a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts that do not overlap. Insertions at the same place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of inOrder(edits)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The edits from the first of the text to the last. */
export function inOrder(edits: readonly Edit[]): Edit[] {
  return edits.toSorted((left, right) => left.start - right.start);
}
