import { ImportChanges } from './import-changes';
import { readStatements, type TypeScript } from './modules';
import { replacedNames } from './replaced-names';
import { applyEdits } from './text-edits';
import { Uses } from './unclear-uses';

/** A place that is not changed, and why. */
export interface Place {
  /** The line number, starting at 1. */
  readonly line: number;
  readonly why: string;
}

/** The proposed changes to a file. */
export interface SwitchedFile {
  /** The same as the source if nothing is changed. */
  readonly text: string;
  readonly places: readonly Place[];
}

/**
 * Changes the imports in a file to the package for every name that the package replaces. Quotes, semicolons, line ends,
 * formatting and the rest of the file stay the same.
 *
 * @param ts the program's compiler
 * @param path the path, with an ending that states the file's language
 */
export function switchFile(ts: TypeScript, text: string, path: string): SwitchedFile {
  const jsx = ts.JsxEmit.Preserve;
  const read = { fileName: path, reportDiagnostics: true, compilerOptions: { jsx, allowJs: true } };
  const [problem] = ts.transpileModule(text, read).diagnostics ?? [];
  return problem === undefined
    ? switchSource(ts, text, path)
    : unread(text, lineAt(text, problem.start ?? 0));
}

function unread(text: string, line: number): SwitchedFile {
  const used = replacedWords(text);
  const why = `it is not JavaScript or TypeScript as this tool reads it: it mentions ${used.join(', ')}`;
  return { text, places: used.length > 0 ? [{ line, why }] : [] };
}

/** The names of compiled things in a text. */
function replacedWords(text: string): string[] {
  const words = new Set(text.split(/\W+/));
  return Object.values(replacedNames).flatMap(({ names }) => [...names].filter((name) => words.has(name)));
}

function switchSource(ts: TypeScript, text: string, path: string): SwitchedFile {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const statements = readStatements(ts, file);
  const uses = new Uses(ts, file, statements);
  const changes = new ImportChanges(ts, text, uses, statements);
  const edits = changes.edits();
  const places = [...uses.unclear(), ...changes.unclear];
  const lines = places.map(({ at, why }) => ({ line: lineAt(text, at), why }));
  return { text: applyEdits(text, edits), places: lines.toSorted((left, right) => left.line - right.line) };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
