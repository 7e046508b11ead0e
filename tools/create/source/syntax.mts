import { Node, Project, type SourceFile, SyntaxKind } from 'ts-morph';

/** Changes a source file; returns `false` if the file has not the expected shape. */
export type SourceEdit = (file: SourceFile) => boolean;

const project = new Project({ useInMemoryFileSystem: true });
let parsed = 0;

/** Parses TypeScript, as far as it is syntax. */
export function parse(text: string): SourceFile {
  return project.createSourceFile(`${(parsed += 1)}.ts`, text);
}

/** Applies edits in order; returns `undefined` if an edit does not find its place. */
export function edited(text: string, edits: readonly SourceEdit[]): string | undefined {
  const file = parse(text);
  return edits.every((edit) => edit(file)) ? file.getFullText() : undefined;
}

/** Returns the variable with a name, at any depth. */
export function variable(within: Node | undefined, name: string): Node | undefined {
  const variables = within?.getDescendantsOfKind(SyntaxKind.VariableDeclaration) ?? [];
  return variables.find((candidate) => candidate.getName() === name)?.getInitializer();
}

/** Returns the name of a property, an import or a binding, or the unquoted argument text. */
export function keyOf(node: Node): string {
  return (Node.hasName(node) ? node.getName() : node.getText()).replaceAll(/^['"`]|['"`]$/g, '');
}

/** Whether a node contains an identifier or a text that equals `name`. */
export function mentions(within: Node, name: string): boolean {
  return within.forEachDescendantAsArray().some((node) => !Node.hasName(node) && keyOf(node) === name);
}

/** Inserts a text before a node and its leading comments. */
export function insertBefore(node: Node | undefined, text: string): boolean {
  node?.getSourceFile().insertText(node.getStart(true), text);
  return node !== undefined;
}

/**
 * Adds an element to an object, an array, a call, a pattern or an import, unless it is there already.
 *
 * @param key the element's name
 * @param follower the name of the element before which it is placed; default last, also if the follower is missing
 */
export function addElement(list: Node | undefined, element: string, key: string, follower?: string): boolean {
  const elements = elementsOf(list);
  if (list === undefined || elements === undefined) return false;
  if (elements.some((candidate) => keyOf(candidate) === key)) return true;
  const [next, last] = [elements.find((candidate) => keyOf(candidate) === follower), elements.at(-1)];
  if (next !== undefined) return insertBefore(next, `${element}, `);
  const [at, text] = last ? [last.getEnd(), `, ${element}`] : [list.getEnd() - 1, element];
  list.getSourceFile().insertText(at, text);
  return true;
}

function elementsOf(list: Node | undefined): readonly Node[] | undefined {
  if (Node.isObjectLiteralExpression(list)) return list.getProperties();
  if (Node.isCallExpression(list)) return list.getArguments();
  if (Node.isArrayLiteralExpression(list) || Node.isObjectBindingPattern(list) || Node.isNamedImports(list))
    return list.getElements();
  return undefined;
}

/**
 * Adds a member to a class or an interface, unless it is there already.
 *
 * @param follower the member before which it is placed; without it, the new member comes last, after a blank line
 */
export function addMember(owner: Node | undefined, member: string, key: string, follower?: string): boolean {
  if (!Node.isClassDeclaration(owner) && !Node.isInterfaceDeclaration(owner)) return false;
  const named = (name?: string) =>
    owner.getMembers().find((candidate) => Node.hasName(candidate) && keyOf(candidate) === name);
  if (named(key) !== undefined) return true;
  const next = named(follower);
  if (next !== undefined) return insertBefore(next, `${member.trimStart()}  `);
  owner
    .getSourceFile()
    .insertText(owner.getMembers().at(-1)?.getEnd() ?? owner.getEnd() - 1, `\n\n${member}`);
  return true;
}

/** Imports a name, unless it is imported already. The names follow the order of our lint rules. */
export function addImport(module: string, name: string): SourceEdit {
  return (file) => {
    const bare = name.replace(/^type /, '');
    const imports = file.getImportDeclarations();
    const lists = imports
      .filter((declaration) => declaration.getModuleSpecifierValue() === module && !declaration.isTypeOnly())
      .flatMap((declaration) => declaration.getImportClause()?.getNamedBindings() ?? [])
      .filter(Node.isNamedImports);
    const [list] = lists;
    if (lists.some((candidate) => candidate.getElements().some((element) => element.getName() === bare)))
      return true;
    const names = list?.getElements().map((element) => element.getName()) ?? [];
    const follower = names.find(
      (candidate) => candidate.localeCompare(bare, 'en', { sensitivity: 'base' }) > 0,
    );
    if (list !== undefined) return addElement(list, name, bare, follower);
    const next = imports.find((declaration) => rank(declaration.getModuleSpecifierValue()) > rank(module));
    const at = next?.getStart() ?? (imports.at(-1)?.getEnd() ?? -1) + 1;
    file.insertText(at, `import { ${name} } from '${module}';\n`);
    return true;
  };
}

/** Libraries of ours, packages, files. */
function rank(module: string): number {
  if (module.startsWith('@app/')) return 0;
  return module.startsWith('.') ? 2 : 1;
}
