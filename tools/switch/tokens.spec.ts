import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readTokens, UnreadableSource } from './tokens';

const root = join(__dirname, '../..');
const textsOf = (source: string) => readTokens(source).tokens.map(({ text }) => text);

/** Where the strings of a file are, for TypeScript. */
function stringsOf(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(`${node.getStart(file)}-${node.end}`);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

describe('the tokens of a source', () => {
  it('have the strings that TypeScript finds, in sources that generate code', () => {
    const paths = globSync('libs/engine/src/{shapes,validation}/**/*.ts', { cwd: root });
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths) {
      const text = readFileSync(join(root, path), 'utf8');
      const strings = readTokens(text).tokens.filter(({ kind }) => kind === 'string');
      expect([path, strings.map(({ start, end }) => `${start}-${end}`).toSorted()]).toEqual([
        path,
        stringsOf(path, text).toSorted(),
      ]);
    }
  });

  it.each([
    ['a / b / c', ['a', '/', 'b', '/', 'c']],
    ['return /[/"]/.test(a)', ['return', '/[/"]/', '.', 'test', '(', 'a', ')']],
    ['if (a) /"/.test(b)', ['if', '(', 'a', ')', '/"/', '.', 'test', '(', 'b', ')']],
    ['f(a) / b / c', ['f', '(', 'a', ')', '/', 'b', '/', 'c']],
    ['a++ / b! / c', ['a', '++', '/', 'b', '!', '/', 'c']],
    ['`a${ { b: `"` } }"`', ['a${', '{', 'b', ':', '"`', '}', '"`']],
    ['// "a"\n/* "b" */ "c\\"d"', ['c\\"d']],
  ])('are read: %s', (source, texts) => {
    expect(textsOf(source)).toEqual(texts);
  });

  it.each(['(', ')', '{]', '"a', '`a${b', "<p>it's</p>"])('are not read of %s', (source) => {
    expect(() => readTokens(source)).toThrow(UnreadableSource);
  });
});
