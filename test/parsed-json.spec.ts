import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Two libraries are left out. `deserialize` of the engine makes instances of any JSON, as class-transformer does. The typed client has the types that
 * the document promises, and no dependency that could check them.
 */
const files = globSync('libs/!(engine|client)/src/**/*.ts', { cwd: `${__dirname}/..` }).filter(
  (file) => !file.endsWith('.spec.ts'),
);

/** `JSON.parse(text)`, or `response.json()`. */
function isParser({ expression, arguments: { length } }: ts.CallExpression): boolean {
  const name = expression.getText();
  return name === 'JSON.parse' || (name.endsWith('.json') && length === 0);
}

/** A declared type, or a schema, takes what was parsed as `unknown`. */
function isChecked({ parent }: ts.Node): boolean {
  if (ts.isAwaitExpression(parent) || ts.isPropertyAccessExpression(parent)) return isChecked(parent);
  if (ts.isVariableDeclaration(parent)) return parent.type?.kind === ts.SyntaxKind.UnknownKeyword;
  if (ts.isReturnStatement(parent)) {
    const owner = ts.findAncestor(parent, ts.isFunctionDeclaration);
    return owner?.type?.kind === ts.SyntaxKind.UnknownKeyword;
  }
  if (!ts.isCallExpression(parent)) return false;
  const isSchema = /\.(?:safeParse|parse)$/.test(parent.expression.getText());
  return isSchema || (parent.expression.getText().endsWith('.catch') && isChecked(parent));
}

function uncheckedIn(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(`${__dirname}/../${file}`, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    const isParse = ts.isCallExpression(node) && isParser(node);
    if (isParse && !isChecked(node))
      places.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

describe('parsed JSON', () => {
  it('is unknown until a schema or a check has read it: no type is asserted', () => {
    expect(files.length).toBeGreaterThan(700);
    expect(files.flatMap(uncheckedIn), 'declare it as unknown, or pass it to the parse of a schema').toEqual(
      [],
    );
  });
});
