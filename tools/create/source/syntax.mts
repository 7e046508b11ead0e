import ts from 'typescript';

/** Changes a source file, and returns its new text; `undefined` if it has not the expected shape. */
export type SourceEdit = (source: ts.SourceFile) => string | undefined;

/** Parses TypeScript, as far as it is syntax. */
export function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('edited.ts', text, ts.ScriptTarget.Latest, true);
}

/**
 * One edit after another, each of the text that the last one returned.
 *
 * @returns `undefined` if one of them does not find its place
 */
export function inTurn(...edits: readonly SourceEdit[]): SourceEdit {
  return (source) => {
    let text: string | undefined = source.text;
    for (const edit of edits) text = text === undefined ? undefined : edit(parse(text));
    return text;
  };
}

/** Every node of a kind, in the order of the source. */
export function findAll<Node extends ts.Node>(within: ts.Node, is: (node: ts.Node) => node is Node): Node[] {
  const found = is(within) ? [within] : [];
  within.forEachChild((child) => void found.push(...findAll(child, is)));
  return found;
}

/** The class, interface, function or variable with a name. */
export function declared<Node extends ts.Node & { readonly name?: ts.Node }>(
  within: ts.Node,
  is: (node: ts.Node) => node is Node,
  name: string,
): Node | undefined {
  return findAll(within, is).find((node) => node.name !== undefined && nameOf(node.name) === name);
}

/** A name without its quotes. */
export function nameOf(name: ts.Node): string {
  return ts.isStringLiteralLike(name) ? name.text : name.getText();
}

/** Inserts a text at a position. */
export function insertAt({ text }: ts.SourceFile, at: number, added: string): string {
  return `${text.slice(0, at)}${added}${text.slice(at)}`;
}

/** Whether a node has a name or a text that is equal to one. */
export function mentions(within: ts.Node, name: string): boolean {
  return findAll(within, isNameOrText).some((node) => nameOf(node) === name);
}

function isNameOrText(node: ts.Node): node is ts.Identifier | ts.StringLiteralLike {
  return ts.isIdentifier(node) || ts.isStringLiteralLike(node);
}

/** The elements of a list, such as those of an object, an array, a call or a pattern. */
type Elements = ts.NodeArray<ts.Node>;

/**
 * Adds an element to a list, unless it is there already.
 *
 * @param key the name of the element
 * @param follower the name of the element before which it is placed; default, or if there is none: last
 */
export function addElement(
  source: ts.SourceFile,
  elements: Elements | undefined,
  element: string,
  { key, follower }: { readonly key: string; readonly follower?: string },
): string | undefined {
  if (elements === undefined) return undefined;
  if (elements.some((one) => keyOf(one) === key)) return source.text;
  const next = elements.find((one) => follower !== undefined && keyOf(one) === follower);
  if (next !== undefined) return insertAt(source, next.getStart(source), `${element}, `);
  const last = elements.at(-1);
  return insertAt(source, last?.end ?? elements.pos, last === undefined ? element : `, ${element}`);
}

/** The name of a property, of a bound or imported variable, of an argument, or of a text. */
function keyOf(node: ts.Node): string {
  const isNamed =
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isBindingElement(node) ||
    ts.isImportSpecifier(node);
  return nameOf(isNamed ? node.name : node);
}

/**
 * Adds a member to a class or an interface, unless it is there already.
 *
 * @param follower the name of the member before which it is placed; default, or if there is none: last, after a blank line
 */
export function addMember(
  source: ts.SourceFile,
  owner: ts.ClassDeclaration | ts.InterfaceDeclaration | undefined,
  member: string,
  { key, follower }: { readonly key: string; readonly follower?: string },
): string | undefined {
  if (owner === undefined) return undefined;
  const members: readonly (ts.ClassElement | ts.TypeElement)[] = [...owner.members];
  const named = (name: string) => members.find((one) => one.name !== undefined && nameOf(one.name) === name);
  if (named(key) !== undefined) return source.text;
  const next = follower === undefined ? undefined : named(follower);
  if (next !== undefined) return insertAt(source, next.getStart(source, true), `${member.trimStart()}  `);
  return insertAt(source, owner.members.end, `\n\n${member}`);
}

/** Imports a name, unless it is imported already. Names are in the order of our lint rules. */
export function addImport(module: string, name: string): SourceEdit {
  return (source) => {
    const imports = findAll(source, ts.isImportDeclaration);
    const bare = name.replace(/^type /, '');
    const same = imports.filter((one) => nameOf(one.moduleSpecifier) === module).flatMap(namedImports);
    if (same.some((list) => list.elements.some((one) => one.name.text === bare))) return source.text;
    const [list] = same;
    if (list === undefined)
      return insertAt(source, placeOfImport(imports, module), `import { ${name} } from '${module}';\n`);
    const isAfter = (one: ts.ImportSpecifier) =>
      one.name.text.localeCompare(bare, 'en', { sensitivity: 'base' }) > 0;
    const follower = list.elements.find(isAfter)?.name.text;
    return addElement(source, list.elements, name, {
      key: bare,
      ...(follower !== undefined && { follower }),
    });
  };
}

/** Imports of types alone have no place for values. */
function namedImports({ importClause }: ts.ImportDeclaration): ts.NamedImports[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  return ts.isNamedImports(bindings) ? [bindings] : [];
}

/** Before the first import of another kind: libraries of ours, packages, files. */
function placeOfImport(imports: readonly ts.ImportDeclaration[], module: string): number {
  const next = imports.find(({ moduleSpecifier }) => rank(nameOf(moduleSpecifier)) > rank(module));
  return next?.getStart() ?? (imports.at(-1)?.end ?? -1) + 1;
}

function rank(module: string): number {
  if (module.startsWith('@app/')) return 0;
  return module.startsWith('.') ? 2 : 1;
}
