import type ts from 'typescript';

/** The compiler of the program, which reads its sources. */
export type TypeScript = typeof ts;

/** A name in the braces of an import or an export. */
export interface Specifier {
  readonly name: string;
  readonly isType: boolean;
  readonly start: number;
  readonly end: number;
}

/** A statement that imports from a module, or re-exports from it. */
export interface ModuleStatement {
  readonly kind: 'import' | 'export' | 'require';
  readonly module: ts.StringLiteral;
  readonly isType: boolean;
  /** The default import: `import name from`. */
  readonly byDefault?: ts.Identifier | undefined;
  /** The namespace import: `import * as name from`. */
  readonly namespace?: ts.Identifier | undefined;
  /** Whether the statement is `export *`. */
  readonly isAll: boolean;
  /** The specifiers; `undefined` without braces. */
  readonly specifiers?: readonly Specifier[] | undefined;
  /** The offset after the closing brace. */
  readonly closing?: number | undefined;
  readonly start: number;
  /** The end offset before the semicolon. */
  readonly end: number;
}

/**
 * Finds the import and export statements of a file with a module, and `const { … } = require('…')`, at its top level. Statements
 * with import attributes are not among them.
 */
export function readStatements(ts: TypeScript, file: ts.SourceFile): ModuleStatement[] {
  return file.statements.flatMap((statement): ModuleStatement | [] => {
    if (ts.isImportDeclaration(statement)) return readImport(ts, statement) ?? [];
    if (ts.isExportDeclaration(statement)) return readExport(ts, statement) ?? [];
    return ts.isVariableStatement(statement) ? (readRequire(ts, statement) ?? []) : [];
  });
}

function readImport(ts: TypeScript, statement: ts.ImportDeclaration): ModuleStatement | undefined {
  const { importClause: clause, moduleSpecifier: module, attributes } = statement;
  if (!clause || attributes || !ts.isStringLiteral(module)) return undefined;
  const { name: byDefault, namedBindings: bindings, isTypeOnly: isType } = clause;
  const place = { module, start: statement.getStart(), end: module.end };
  if (!bindings || ts.isNamedImports(bindings))
    return { kind: 'import', isType, isAll: false, byDefault, ...place, ...(bindings && bracesOf(bindings)) };
  return { kind: 'import', isType, isAll: false, byDefault, namespace: bindings.name, ...place };
}

function readExport(ts: TypeScript, statement: ts.ExportDeclaration): ModuleStatement | undefined {
  const { exportClause: clause, moduleSpecifier: module, attributes, isTypeOnly: isType } = statement;
  if (!module || attributes || !ts.isStringLiteral(module)) return undefined;
  const place = { module, isType, start: statement.getStart(), end: module.end };
  if (!clause || !ts.isNamedExports(clause)) return { kind: 'export', isAll: true, ...place };
  return { kind: 'export', isAll: false, ...place, ...bracesOf(clause) };
}

function readRequire(ts: TypeScript, statement: ts.VariableStatement): ModuleStatement | undefined {
  const { declarations, end } = statement.declarationList;
  const [{ name, initializer: call, type }] = declarations;
  if (declarations.length > 1 || type || !ts.isObjectBindingPattern(name)) return undefined;
  if (!call || !ts.isCallExpression(call) || call.expression.getText() !== 'require') return undefined;
  const [module] = call.arguments;
  const isPlain = name.elements.every(
    (element) => ts.isIdentifier(element.name) && !element.dotDotDotToken && !element.initializer,
  );
  if (!module || !ts.isStringLiteral(module) || !isPlain) return undefined;
  return {
    kind: 'require',
    isType: false,
    isAll: false,
    module,
    start: statement.getStart(),
    end,
    ...bracesOf(name),
  };
}

type Braces = ts.NamedImports | ts.NamedExports | ts.ObjectBindingPattern;

function bracesOf({ elements, end }: Braces): { specifiers: Specifier[]; closing: number } {
  const specifiers = Array.from<Braces['elements'][number], Specifier>(elements, (element) => ({
    name: (element.propertyName ?? element.name).getText(),
    isType: 'isTypeOnly' in element && element.isTypeOnly,
    start: element.getStart(),
    end: element.end,
  }));
  return { specifiers, closing: end };
}
