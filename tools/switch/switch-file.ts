import { ImportChanges } from './import-changes';
import { readStatements } from './modules';
import { replacedNames } from './replaced-names';
import { applyEdits, type Edit } from './text-edits';
import { readTokens, type Source, UnreadableSource } from './tokens';
import { placesOf } from './unclear-uses';

/** A place that is not changed, and why. */
export interface Place {
  /** From 1. */
  readonly line: number;
  readonly why: string;
}

/** What would be changed in a file. */
export interface SwitchedFile {
  readonly edits: readonly Edit[];
  /** The same as the source if nothing is changed. */
  readonly text: string;
  readonly places: readonly Place[];
}

/**
 * Changes the imports of a file to those of the package: what it replaces comes from there, the rest stays. Quotes,
 * semicolons, line ends and formatting are kept, and so is everything else in the file.
 *
 * @param path files with JSX are not read
 */
export function switchFile(text: string, path: string): SwitchedFile {
  if (path.endsWith('x')) return unread(text, 1, 'a file with JSX is not read');
  try {
    return switchSource(text, readTokens(text));
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    return unread(text, lineAt(text, error.at), error.message);
  }
}

function unread(text: string, line: number, reason: string): SwitchedFile {
  const used = replacedWords(text);
  const places = used.length > 0 ? [{ line, why: `${reason}: it mentions ${used.join(', ')}` }] : [];
  return { edits: [], text, places };
}

/** The names of compiled things in a text. */
function replacedWords(text: string): string[] {
  const words = new Set(text.split(/\W+/));
  return Object.values(replacedNames).flatMap(({ names }) => [...names].filter((name) => words.has(name)));
}

function switchSource(text: string, source: Source): SwitchedFile {
  const statements = readStatements(source.tokens);
  const changes = new ImportChanges(text, source, statements);
  const edits = changes.edits();
  const places = [...placesOf(source.tokens, statements), ...changes.unclear];
  const found = places.map(({ at, why }) => ({ line: lineAt(text, at), why }));
  return {
    edits,
    text: applyEdits(text, edits),
    places: found.toSorted((one, other) => one.line - other.line),
  };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
