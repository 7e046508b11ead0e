import type ts from 'typescript';
import type { ModuleStatement, TypeScript } from './modules';
import { moduleOf, type Replaced, replacedNames } from './replaced-names';

/** A module use that stays unchanged. */
export interface UnclearUse {
  /** The offset in the source. */
  readonly at: number;
  readonly why: string;
}

/** Finds the uses of compiled exports in a file, and says whether they are changed. */
export class Uses {
  private readonly identifiers: ts.Identifier[] = [];
  private readonly strings: ts.StringLiteral[] = [];

  constructor(
    private readonly ts: TypeScript,
    file: ts.SourceFile,
    private readonly statements: readonly ModuleStatement[],
  ) {
    this.visit(file);
  }

  /** Finds the uses that are not changed, so that somebody looks at them. */
  unclear(): UnclearUse[] {
    const understood = new Set(this.statements.map(({ module }) => module));
    return [
      ...this.statements.filter(({ isType }) => !isType).flatMap((statement) => this.ofStatement(statement)),
      ...this.strings.flatMap((node) => (understood.has(node) ? [] : this.ofString(node))),
    ];
  }

  /**
   * Returns whether a file may import the whole module from the package instead. The package must export all names of the
   * module, and the file must use only namespace members, including a compiled member.
   */
  canSwitchNamespace({ namespace, byDefault, module, isType }: ModuleStatement): boolean {
    const replaced = replacedNames[module.text];
    if (!namespace || byDefault || isType || !replaced?.hasAll) return false;
    const { members, whole } = this.of(namespace);
    return whole.length === 0 && members.some(({ text }) => replaced.names.has(text));
  }

  private visit(node: ts.Node): void {
    if (this.ts.isIdentifier(node)) this.identifiers.push(node);
    if (this.ts.isStringLiteral(node)) this.strings.push(node);
    this.ts.forEachChild(node, (child) => this.visit(child));
  }

  private ofStatement(statement: ModuleStatement): UnclearUse[] {
    const { module, specifiers = [], isAll, start } = statement;
    const root = moduleOf(module.text);
    const replaced = root === undefined ? undefined : replacedNames[root];
    if (!replaced) return [];
    const { target, names } = replaced;
    if (isAll)
      return [{ at: start, why: `it re-exports ${listed(names)} too, which ${target} has compiled` }];
    const inner = specifiers.filter(({ name, isType }) => !isType && names.has(name));
    if (module.text !== root && inner.length > 0)
      return [
        {
          at: start,
          why: `it is an inner file of ${root}: import ${listed(inner.map(({ name }) => name))} from ${target}`,
        },
      ];
    if (this.canSwitchNamespace(statement)) return [];
    return [statement.byDefault, statement.namespace].flatMap((name) =>
      name ? this.ofNamespace(name, replaced) : [],
    );
  }

  private ofNamespace(name: ts.Identifier, { target, names }: Replaced): UnclearUse[] {
    const { members, whole } = this.of(name);
    return [
      ...members
        .filter(({ text }) => names.has(text))
        .map((member) => ({
          at: member.getStart(),
          why: `${name.text}.${member.text}: import ${member.text} from ${target}`,
        })),
      ...whole.map((use) => ({
        at: use.getStart(),
        why: `${name.text} is passed on as a whole, with ${listed(names)}, which ${target} has compiled`,
      })),
    ];
  }

  /** The namespace members that the file uses, and the places where it uses the namespace itself. */
  private of(name: ts.Identifier): { members: ts.Identifier[]; whole: ts.Identifier[] } {
    const [members, whole]: [ts.Identifier[], ts.Identifier[]] = [[], []];
    for (const use of this.identifiers.filter((node) => node !== name && node.text === name.text)) {
      const { parent } = use;
      if (this.ts.isPropertyAccessExpression(parent)) {
        if (parent.expression === use && this.ts.isIdentifier(parent.name)) members.push(parent.name);
      } else if (this.ts.isQualifiedName(parent)) {
        if (parent.left === use) members.push(parent.right);
      } else if (!this.ts.isPropertyAssignment(parent) || parent.initializer === use) whole.push(use);
    }
    return { members, whole };
  }

  /** A module that is named elsewhere than in an import that is understood. */
  private ofString(node: ts.StringLiteral): UnclearUse[] {
    const { text, parent } = node;
    const root = moduleOf(text);
    if (root === undefined || (this.ts.isImportDeclaration(parent) && !parent.importClause)) return [];
    const start = node.getStart();
    const caller = this.ts.isCallExpression(parent)
      ? /\w*$/.exec(parent.expression.getText())?.[0]
      : undefined;
    const { target, names } = replacedNames[root];
    if (caller !== undefined && /mock$/i.test(caller))
      return [{ at: start, why: `${caller}('${text}'): a test that replaces it does not replace ${target}` }];
    const used = [...names].filter((name) => this.identifiers.some((identifier) => identifier.text === name));
    if (used.length === 0) return [];
    return [
      { at: start, why: `'${text}' is used in another way than by import: ${target} has ${listed(used)}` },
    ];
  }
}

/** Returns a list such as `a, b and 3 more`. */
function listed(names: Iterable<string>): string {
  const all = [...names];
  return all.length <= 3 ? all.join(', ') : `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`;
}
