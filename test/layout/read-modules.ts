import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { resolveImport } from './resolve-import';

/** The properties of a source file that the layout rules use. */
export interface Module {
  /** The path relative to the workspace, such as `libs/auth/src/index.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** The number of lines. */
  readonly lines: number;
  /** Whether it evaluates text as code with `eval` or `new Function`. */
  readonly writesCode: boolean;
  /** The private parts of Node.js, V8, NestJS or Fastify that it uses, such as `_handle`. */
  readonly internals: readonly string[];
  /** Whether a class member has a name such as `#token`. */
  readonly hidesMembers: boolean;
}

/** An import, or an export with `from`. */
export interface Import {
  /** The module specifier, such as `@app/auth`, `./errors` or `fastify`. */
  readonly specifier: string;
  /** The imported file, if it is ours. The path is relative to the workspace and has no extension. */
  readonly target: string | undefined;
  /** Whether it is an `export * from`. */
  readonly passesOnAll: boolean;
  /** The names that an `import { … }` lists. */
  readonly names: readonly string[];
}

/** Reads all source files in the applications, libraries and tools, and in the workspace itself. */
export function readModules(root: string): readonly Module[] {
  return globSync('{apps,libs,tools,scripts,test}/**/*.{ts,mts,js,mjs}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .map((path) => readModule(path, readFileSync(join(root, path), 'utf8')));
}

/** Reads a source file. */
export function readModule(path: string, text: string): Module {
  const imports: Import[] = [];
  let writesCode = false;
  let hidesMembers = false;
  const internals: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      const passesOnAll = ts.isExportDeclaration(node) && node.exportClause === undefined;
      imports.push({ specifier, target: resolveImport(path, specifier), passesOnAll, names: namesOf(node) });
    }
    writesCode ||= isWrittenCode(node);
    hidesMembers ||= ts.isPrivateIdentifier(node);
    internals.push(...internalsOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return { path, imports, lines: text.split('\n').length - 1, internals, writesCode, hidesMembers };
}

/** Functions that change V8 or Node.js, and NestJS members that its types hide. */
const internalNames = new Set([
  'setFlagsFromString',
  'binding',
  'routesResolver',
  'routerExplorer',
  'executionContextCreator',
]);
/**
 * The decorator records in class-transformer. They are not part of the platform, and the engine reads them to behave the same.
 */
const recordedByLibrary = new Set(['_typeMetadatas', '_transformMetadatas']);
/** The NestJS modules with decorator metadata. They are allowed because NestJS documents the decorators. */
const metadata =
  /^@nestjs\/[\w-]+\/(?:internal$|package\.json$|constants|serializer\/class-serializer\.constants)/;

/**
 * Lists the private parts of the platform that a node uses. These are an object's `_name` members, the names above, and files
 * inside packages.
 */
function internalsOf(node: ts.Node): string[] {
  const specifier = specifierOf(node);
  if (specifier !== undefined)
    return /^(?:@nestjs\/[\w-]+|fastify|find-my-way)\/./.test(specifier) && !metadata.test(specifier)
      ? [specifier]
      : [];
  const name = memberName(node);
  if (name === undefined || recordedByLibrary.has(name)) return [];
  return internalNames.has(name) || /^_[a-z]/.test(name) ? [name] : [];
}

/** Returns the member that an expression reads from an object other than `this`. */
function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node))
    return node.expression.kind === ts.SyntaxKind.ThisKeyword ? undefined : node.name.text;
  if (ts.isBindingElement(node) && node.propertyName && ts.isIdentifier(node.propertyName))
    return node.propertyName.text;
  const isReflected =
    ts.isCallExpression(node) && /^Reflect\.(?:get|set|apply)$/.test(nameOf(node.expression));
  if (isReflected) return textOf(node.arguments[1]);
  return ts.isElementAccessExpression(node) ? textOf(node.argumentExpression) : undefined;
}

function nameOf(callee: ts.Expression): string {
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression)
    ? `${callee.expression.text}.${callee.name.text}`
    : '';
}

function namesOf(node: ts.Node): string[] {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  return bindings && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name, propertyName = name }) => propertyName.text)
    : [];
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  }
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  return ts.isCallExpression(node) && isLoader(node.expression) ? textOf(node.arguments[0]) : undefined;
}

/** Whether a call is `import('…')`, `require('…')` or `require.resolve('…')`. */
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
