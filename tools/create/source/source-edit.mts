import type { Draft } from './draft.mts';
import { mentions, parse, type SourceEdit } from './syntax.mts';

/** What a field needs in one file. */
export interface FieldEdit {
  readonly path: string;
  readonly edit: SourceEdit;
  /** What to add to the file by hand, if it has another shape. */
  readonly byHand: string;
}

/**
 * Applies the edits of a field to a draft. A file with another shape is left as it is, if it has the field already.
 *
 * @param name of the field
 * @returns what is to be added by hand, with the file; then the draft must not be written
 */
export function applyEdits(draft: Draft, name: string, edits: readonly FieldEdit[]): readonly string[] {
  return edits.flatMap(({ path, edit, byHand }) => {
    const source = parse(draft.has(path) ? draft.read(path) : '');
    const text = edit(source);
    if (text !== undefined) draft.write(path, text);
    return text !== undefined || mentions(source, name) ? [] : [`  ${path}: ${byHand}`];
  });
}
