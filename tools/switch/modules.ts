import type { Token } from './tokens';

/** One name in the braces of an import or an export. */
export interface Specifier {
  readonly name: string;
  /** The name in the file. */
  readonly local: string;
  readonly isType: boolean;
  readonly start: number;
  readonly end: number;
}

/** One statement that imports from a module, or re-exports from it. */
export interface ModuleStatement {
  readonly kind: 'import' | 'export' | 'require';
  readonly module: Token;
  readonly isType: boolean;
  /** `import name from`. */
  readonly byDefault?: Token;
  /** `import * as name from`. */
  readonly namespace?: Token;
  /** `export *`. */
  readonly isAll: boolean;
  /** `undefined` without braces. */
  readonly specifiers?: readonly Specifier[];
  /** The closing brace. */
  readonly closing?: Token;
  readonly start: number;
  /** Without a semicolon. */
  readonly end: number;
}

/**
 * Finds the import and export statements of a file with a module, and `const { … } = require('…')`, at its top level. What
 * is written otherwise, as with import attributes, is not among them.
 */
export function readStatements(tokens: readonly Token[]): ModuleStatement[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || token.depth > 0 || tokens[at - 1]?.text === '.') return [];
    if (token.text === 'import' || token.text === 'export') return new Statement(tokens, at).read() ?? [];
    return ['const', 'let', 'var'].includes(token.text)
      ? (new Statement(tokens, at).readRequire() ?? [])
      : [];
  });
}

/** A cursor over the tokens of one statement; `undefined` is returned for what is not understood. */
class Statement {
  private at: number;
  private readonly first: Token;
  private closing: Token | undefined;

  constructor(
    private readonly tokens: readonly Token[],
    at: number,
  ) {
    this.first = tokens[at]!;
    this.at = at + 1;
  }

  read(): ModuleStatement | undefined {
    const kind = this.first.text === 'import' ? 'import' : 'export';
    const isType = this.takesType();
    const byDefault = kind === 'import' ? this.takeWord() : undefined;
    if (byDefault && this.peek()?.text === ',') this.at += 1;
    const star = this.take('*');
    const namespace = star && this.take('as') ? this.takeWord() : undefined;
    const specifiers = star ? undefined : this.takeSpecifiers('as');
    if (specifiers === undefined && !star && !byDefault) return undefined;
    if (!this.take('from')) return undefined;
    const module = this.tokens[this.at];
    if (module?.kind !== 'string' || hasAttributes(this.tokens[this.at + 1])) return undefined;
    const isAll = star && kind === 'export';
    return this.statement(kind, module, module.end, { isType, byDefault, namespace, specifiers, isAll });
  }

  readRequire(): ModuleStatement | undefined {
    const specifiers = this.takeSpecifiers(':');
    if (!specifiers || !this.take('=') || !this.take('require') || !this.take('(')) return undefined;
    const module = this.tokens[this.at];
    const closing = this.tokens[this.at + 1];
    if (module?.kind !== 'string' || closing?.text !== ')') return undefined;
    const next = this.tokens[this.at + 2]?.text ?? ';';
    if (['.', ',', '['].includes(next)) return undefined;
    return this.statement('require', module, closing.end, { isType: false, isAll: false, specifiers });
  }

  private statement(
    kind: ModuleStatement['kind'],
    module: Token,
    end: number,
    rest: Pick<ModuleStatement, 'isType' | 'isAll'> & Partial<ModuleStatement>,
  ): ModuleStatement {
    return {
      kind,
      module,
      start: this.first.start,
      end,
      ...(this.closing && { closing: this.closing }),
      ...rest,
    };
  }

  /** `import type { … }`, and not a default import that is called `type`. */
  private takesType(): boolean {
    const isType =
      this.peek()?.text === 'type' && !['from', ','].includes(this.tokens[this.at + 1]?.text ?? '');
    if (isType) this.at += 1;
    return isType;
  }

  /** @param renames what is between a name and its local name */
  private takeSpecifiers(renames: 'as' | ':'): Specifier[] | undefined {
    if (!this.take('{')) return undefined;
    const found: Specifier[] = [];
    while (this.peek()?.text !== '}') {
      const specifier = this.takeSpecifier(renames);
      if (!specifier || !(this.take(',') || this.peek()?.text === '}')) return undefined;
      found.push(specifier);
    }
    this.closing = this.tokens[this.at];
    this.at += 1;
    return found;
  }

  private takeSpecifier(renames: 'as' | ':'): Specifier | undefined {
    const first = this.peek();
    const next = this.tokens[this.at + 1];
    const isType = renames === 'as' && first?.text === 'type' && next?.kind === 'word' && next.text !== 'as';
    if (isType) this.at += 1;
    const named = this.takeWord();
    const local = named && this.take(renames) ? this.takeWord() : named;
    if (!first || !named || !local) return undefined;
    return { name: named.text, local: local.text, isType, start: first.start, end: local.end };
  }

  private takeWord(): Token | undefined {
    const token = this.peek();
    if (token?.kind !== 'word') return undefined;
    this.at += 1;
    return token;
  }

  private take(text: string): boolean {
    const isNext = this.peek()?.text === text && this.peek()?.kind !== 'string';
    if (isNext) this.at += 1;
    return isNext;
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }
}

/** `import … from '…' with { … }`. */
function hasAttributes(next: Token | undefined): boolean {
  return next?.kind === 'word' && (next.text === 'with' || next.text === 'assert');
}
