import ts from 'typescript';

/** A page's TypeScript, on the same lines as in the page. */
export interface PageModule {
  /** The path below the page, such as `docs/guides/errors.md/page.ts` or `docs/guides/from-nest.md/src/cats/cats.dto.ts`. */
  readonly path: string;
  readonly text: string;
}

/** The lines that begin and end a part of a module. */
const parts = [
  { begin: /^(\s*)```ts$/, end: (indent: string) => `${indent}\`\`\`` },
  // What a reader knows without seeing it: imports, and the types of names that stand for the reader's own.
  { begin: /^<!-- ts$/, end: () => '-->' },
];

/**
 * Reads the code blocks in a page. A block after a line such as `` `src/cats/cats.dto.ts`: `` is that file. The remaining blocks
 * and the comments `<!-- ts … -->` form a single module, `page.ts`, in their order. Several blocks may import the same name.
 *
 * @param page the page, such as `docs/guides/errors.md`
 */
export function pageModules(page: string, text: string): readonly PageModule[] {
  const lines = text.split('\n');
  const modules = new Map<string, string[]>();
  let end: string | undefined;
  let file = '';
  let named = '';
  lines.forEach((line, index) => {
    if (end === undefined) {
      const part = parts.find(({ begin }) => begin.test(line));
      end = part?.end(part.begin.exec(line)?.[1] ?? '');
      file = named === '' ? 'page.ts' : named;
      if (line.trim() !== '') named = /^`([\w./-]+\.ts)`:$/.exec(line)?.[1] ?? '';
    } else if (line === end) end = undefined;
    else {
      const written = modules.get(file) ?? lines.map(() => '');
      modules.set(file, written.with(index, line));
    }
  });
  return [...modules].map(([path, written]) => ({
    path: `${page}/${path}`,
    text: importOnce([...written, 'export {};'].join('\n')),
  }));
}

/** Blanks repeated imports, so that each block may show its imports. */
function importOnce(text: string): string {
  const seen = new Set<string>();
  const file = ts.createSourceFile('page.ts', text, ts.ScriptTarget.Latest);
  const repeated = file.statements
    .filter(ts.isImportDeclaration)
    .flatMap((statement) => importedNames(statement))
    .filter((name) => {
      const isRepeated = seen.has(name.text);
      seen.add(name.text);
      return isRepeated;
    });
  return repeated.reduce(
    (rest, { pos, end }) => rest.slice(0, pos) + ' '.repeat(end - pos) + rest.slice(end),
    text,
  );
}

/** Returns each named import with the comma behind it. */
function importedNames(statement: ts.ImportDeclaration): { text: string; pos: number; end: number }[] {
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  const elements = bindings.elements;
  return elements.map(({ name, pos, end }, index) => ({
    text: name.text,
    pos,
    end: elements[index + 1]?.pos ?? end,
  }));
}
