import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { resolveImport } from './resolve-import';

/** The properties of a source file that the layout rules use. */
export interface Module {
  /** Relative to the workspace: `libs/auth/src/index.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Whether it evaluates text as code: `eval`, `new Function`. */
  readonly writesCode: boolean;
  /** Whether a member of a class has a name such as `#token`. */
  readonly hidesMembers: boolean;
}

/** One import, or an export with `from`. */
export interface Import {
  /** Such as `@app/auth`, `./errors`, `fastify`. */
  readonly specifier: string;
  /** The imported file, if it is ours, relative to the workspace, without extension. */
  readonly target: string | undefined;
  /** Whether it is an `export * from`. */
  readonly passesOnAll: boolean;
}

/** Reads every source file of the applications, the libraries, the tools, and the workspace about itself. */
export function readModules(root: string): readonly Module[] {
  return globSync('{apps,libs,tools,scripts,test}/**/*.{ts,mts,js,mjs}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .map((path) => readModule(path, readFileSync(join(root, path), 'utf8')));
}

/** Reads one source file. */
export function readModule(path: string, text: string): Module {
  const imports: Import[] = [];
  let writesCode = false;
  let hidesMembers = false;
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      const passesOnAll = ts.isExportDeclaration(node) && node.exportClause === undefined;
      imports.push({ specifier, target: resolveImport(path, specifier), passesOnAll });
    }
    writesCode ||= isWrittenCode(node);
    hidesMembers ||= ts.isPrivateIdentifier(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return { path, imports, writesCode, hidesMembers };
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  }
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  return ts.isCallExpression(node) && isLoader(node.expression) ? textOf(node.arguments[0]) : undefined;
}

/** `import('…')`, `require('…')`, `require.resolve('…')`. */
function isLoader(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  return name.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(name) && name.text === 'require');
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function isWrittenCode(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  return ts.isIdentifier(node.expression) && ['eval', 'Function'].includes(node.expression.text);
}
