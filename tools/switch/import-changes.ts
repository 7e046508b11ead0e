import type { ModuleStatement, Specifier, TypeScript } from './modules';
import { replacedNames } from './replaced-names';
import type { Edit } from './text-edits';
import type { UnclearUse, Uses } from './unclear-uses';

/** The names that a statement moves to the package. */
interface Move {
  readonly statement: ModuleStatement;
  readonly moved: readonly Specifier[];
  readonly target: string;
}

/** Changes the import and export statements in a file. */
export class ImportChanges {
  /** The statements that stay unchanged. The list is complete after {@link edits}. */
  readonly unclear: UnclearUse[] = [];
  private readonly textEdits: Edit[] = [];

  constructor(
    private readonly ts: TypeScript,
    private readonly text: string,
    private readonly uses: Uses,
    private readonly statements: readonly ModuleStatement[],
  ) {}

  edits(): readonly Edit[] {
    const moves = this.statements.flatMap((statement) => this.moveOf(statement));
    const imports = moves.filter(({ statement }) => statement.kind === 'import');
    for (const target of new Set(imports.map((move) => move.target)))
      this.moveImports(
        target,
        imports.filter((move) => move.target === target),
      );
    for (const move of moves) if (move.statement.kind !== 'import') this.moveAlone(move);
    for (const statement of this.statements)
      if (this.uses.canSwitchNamespace(statement))
        this.renameModule(statement, replacedNames[statement.module.text].target);
    return this.textEdits;
  }

  private moveOf(statement: ModuleStatement): Move[] {
    const replaced = replacedNames[statement.module.text];
    if (!replaced || statement.isType) return [];
    const moved = (statement.specifiers ?? []).filter(
      ({ name, isType }) => !isType && replaced.names.has(name),
    );
    if (moved.length === 0) return [];
    if (!this.hasCommentBeside(statement, moved)) return [{ statement, moved, target: replaced.target }];
    const names = moved.map(({ name }) => name).join(', ');
    this.unclear.push({
      at: moved[0].start,
      why: `a comment stands beside ${names}: import it from ${replaced.target}`,
    });
    return [];
  }

  /** Moves names from several imports into an existing import from the package, or into the first converted import. */
  private moveImports(target: string, moves: readonly Move[]): void {
    const present = this.statements.find(
      (statement) =>
        statement.module.text === target &&
        statement.kind === 'import' &&
        !statement.isType &&
        statement.specifiers,
    );
    const first = present
      ? undefined
      : (moves.find(({ statement, moved }) => isWhole(statement, moved)) ?? moves[0]);
    const rest = moves.filter((move) => move !== first);
    const extra = rest.flatMap(({ moved }) => moved);
    if (present) this.append(present, extra);
    else if (first) this.moveAlone(first, extra);
    for (const move of rest) this.drop(move.statement, move.moved);
  }

  private moveAlone({ statement, moved, target }: Move, extra: readonly Specifier[] = []): void {
    if (isWhole(statement, moved)) {
      this.renameModule(statement, target);
      return this.append(statement, extra);
    }
    this.drop(statement, moved);
    const added = this.statementOf(statement, [...moved, ...extra], target);
    this.replace(this.endOf(statement), this.endOf(statement), `${this.lineEnd()}${added}`);
  }

  private renameModule({ module }: ModuleStatement, target: string): void {
    this.replace(module.getStart() + 1, module.end - 1, target);
  }

  private append({ specifiers = [], closing }: ModuleStatement, extra: readonly Specifier[]): void {
    const last = specifiers.at(-1);
    const at = last?.end ?? (closing ?? 1) - 1;
    const texts = extra.map((specifier) => this.textOf(specifier));
    if (texts.length > 0) this.replace(at, at, `${last ? ', ' : ' '}${texts.join(', ')}${last ? '' : ' '}`);
  }

  private drop(statement: ModuleStatement, moved: readonly Specifier[]): void {
    const { specifiers = [], byDefault, closing } = statement;
    if (isWhole(statement, moved)) return this.dropStatement(statement);
    if (byDefault && moved.length === specifiers.length) return this.replace(byDefault.end, closing!, '');
    for (const [first, last] of runsOf(specifiers, moved)) {
      const next = specifiers[last + 1];
      if (next) this.replace(specifiers[first].start, next.start, '');
      else this.replace(specifiers[first - 1].end, specifiers[last].end, '');
    }
  }

  /** Removes a statement, including its line if the line is otherwise empty. */
  private dropStatement(statement: ModuleStatement): void {
    const end = this.endOf(statement);
    const before = /(?:^|\n)[ \t]*$/.test(this.text.slice(0, statement.start));
    const after = /^[ \t]*(?:\r?\n|$)/.exec(this.text.slice(end))?.[0];
    this.replace(statement.start, before && after !== undefined ? end + after.length : end, '');
  }

  private statementOf(like: ModuleStatement, names: readonly Specifier[], target: string): string {
    const { module, kind, start, end } = like;
    const quote = this.text.charAt(module.getStart());
    const semicolon = this.endOf(like) > end ? ';' : '';
    const indent = /[ \t]*$/.exec(this.text.slice(0, start))?.[0] ?? '';
    const braces = `{ ${names.map((specifier) => this.textOf(specifier)).join(', ')} }`;
    const from = `${quote}${target}${quote}`;
    if (kind !== 'require') return `${indent}${kind} ${braces} from ${from}${semicolon}`;
    const keyword = this.text.slice(start).split(/\s/, 1)[0];
    return `${indent}${keyword} ${braces} = require(${from})${semicolon}`;
  }

  private textOf({ start, end }: Specifier): string {
    return this.text.slice(start, end);
  }

  private endOf({ end }: ModuleStatement): number {
    return this.text.charAt(end) === ';' ? end + 1 : end;
  }

  private lineEnd(): string {
    return this.text.includes('\r\n') ? '\r\n' : '\n';
  }

  private hasCommentBeside(statement: ModuleStatement, moved: readonly Specifier[]): boolean {
    const { specifiers = [], closing } = statement;
    return moved.some((specifier) => {
      const at = specifiers.indexOf(specifier);
      const from = specifiers[at - 1]?.end ?? statement.start;
      const to = specifiers[at + 1]?.start ?? closing!;
      return this.hasComment(from, to);
    });
  }

  private hasComment(start: number, end: number): boolean {
    const { SingleLineCommentTrivia, MultiLineCommentTrivia, EndOfFileToken } = this.ts.SyntaxKind;
    const scanner = this.ts.createScanner(this.ts.ScriptTarget.Latest, false);
    scanner.setText(this.text, start, end - start);
    for (let kind = scanner.scan(); kind !== EndOfFileToken; kind = scanner.scan())
      if (kind === SingleLineCommentTrivia || kind === MultiLineCommentTrivia) return true;
    return false;
  }

  private replace(start: number, end: number, text: string): void {
    this.textEdits.push({ start, end, text });
  }
}

/** Whether nothing of a statement stays. */
function isWhole({ specifiers = [], byDefault }: ModuleStatement, moved: readonly Specifier[]): boolean {
  return !byDefault && specifiers.length === moved.length;
}

/** Returns the first and last index for each run of neighbours. */
function runsOf(all: readonly Specifier[], moved: readonly Specifier[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const at of moved.map((specifier) => all.indexOf(specifier))) {
    const last = runs.at(-1);
    if (last && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}
