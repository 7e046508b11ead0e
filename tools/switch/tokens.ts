/** A word, a string, or a sign of a source; numbers are words, regular expressions and parts of templates are `other`. */
export interface Token {
  readonly kind: 'word' | 'string' | 'sign' | 'other';
  /** Without the quotes, for a string. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The number of brackets, of all kinds, around it. */
  readonly depth: number;
}

/** The tokens of a source, and where its comments are. */
export interface Source {
  readonly tokens: readonly Token[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** A source that cannot be read, such as one with JSX. */
export class UnreadableSource extends Error {
  constructor(readonly at: number) {
    super('it is not JavaScript or TypeScript as this tool reads it');
  }
}

/**
 * Reads the tokens of JavaScript or TypeScript without JSX. Enough to know what is code and what is a comment, a string, a
 * template or a regular expression.
 *
 * @throws UnreadableSource for brackets without a partner, and for what has no end
 */
export function readTokens(text: string): Source {
  return new Reader(text).read();
}

const wordPart = /[\p{ID_Continue}$#\\]+/uy;
const space = /[\s\ufeff]+/uy;
const lineComment = /\/\/[^\n\r\u2028\u2029]*/y;
const blockComment = /\/\*[^]*?\*\//y;
const quoted = /'(?:[^'\\\n\r]|\\(?:\r\n|[^]))*'|"(?:[^"\\\n\r]|\\(?:\r\n|[^]))*"/y;
const regularExpression = /\/(?:[^/\\[\n\r]|\\.|\[(?:[^\]\\\n\r]|\\.)*\])+\/[a-z]*/uy;
const templatePart = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** After these words a slash begins a regular expression. */
const beforeValues = new Set(
  'return typeof case do else in instanceof new void delete throw yield await of extends default'.split(' '),
);
const beforeConditions = new Set(['if', 'while', 'for', 'with']);

class Reader {
  private readonly tokens: Token[] = [];
  private readonly comments: { start: number; end: number }[] = [];
  /** The open brackets: where each is among the tokens, and whether it is the `${` of a template. */
  private readonly open: { at: number; sign: string; isTemplate: boolean }[] = [];
  /** Whether the last `)` ended a condition. */
  private endedCondition = false;
  private at = 0;

  constructor(private readonly text: string) {}

  read(): Source {
    if (this.text.startsWith('#!')) this.at = this.text.search(/[\n\r]|$/);
    while (this.at < this.text.length) this.readOne();
    if (this.open.length > 0) throw new UnreadableSource(this.at);
    return { tokens: this.tokens, comments: this.comments };
  }

  private readOne(): void {
    if (this.match(space) !== undefined) return;
    const start = this.at;
    if ((this.match(lineComment) ?? this.match(blockComment)) !== undefined)
      return void this.comments.push({ start, end: this.at });
    const word = this.match(wordPart);
    if (word !== undefined) return this.add('word', word, start);
    const first = this.text.charAt(start);
    if (first === "'" || first === '"') return this.readString(start);
    if (first === '`') return this.readTemplate(start);
    if (first === '/' && this.expectsValue() && this.match(regularExpression) !== undefined)
      return this.add('other', this.text.slice(start, this.at), start);
    this.readSign(start);
  }

  private readString(start: number): void {
    const found = this.match(quoted);
    if (found === undefined) throw new UnreadableSource(start);
    this.add('string', found.slice(1, -1), start);
  }

  private readTemplate(start: number): void {
    this.at = start + 1;
    const part = this.match(templatePart);
    if (part === undefined) throw new UnreadableSource(start);
    this.add('other', part, start);
    if (part.endsWith('${')) this.open.push({ at: this.tokens.length - 1, sign: '{', isTemplate: true });
  }

  private readSign(start: number): void {
    const sign = /\+\+|--|[^]/uy;
    sign.lastIndex = start;
    const text = sign.exec(this.text)?.[0] ?? '';
    this.at = start + text.length;
    if (text in partners) return this.close(text, start);
    this.add('sign', text, start);
    if ('([{'.includes(text)) this.open.push({ at: this.tokens.length - 1, sign: text, isTemplate: false });
  }

  private close(sign: string, start: number): void {
    const opened = this.open.pop();
    if (opened?.sign !== partners[sign]) throw new UnreadableSource(start);
    if (opened.isTemplate) return this.readTemplate(start);
    const before = this.tokens[opened.at - 1];
    this.endedCondition = sign === ')' && before?.kind === 'word' && beforeConditions.has(before.text);
    this.add('sign', sign, start);
  }

  /** Whether a slash here begins a regular expression, and is no division. */
  private expectsValue(): boolean {
    const last = this.tokens.at(-1);
    if (!last) return true;
    if (last.kind === 'word') return beforeValues.has(last.text) && this.tokens.at(-2)?.text !== '.';
    if (last.kind !== 'sign') return last.text.endsWith('${');
    if (last.text === ')') return this.endedCondition;
    return (
      ![']', '++', '--'].includes(last.text) && !(last.text === '!' && this.endsValue(this.tokens.at(-2)))
    );
  }

  /** Whether a token can end a value, after which `!` is TypeScript's assertion. */
  private endsValue(token: Token | undefined): boolean {
    if (token?.kind === 'word') return !beforeValues.has(token.text);
    return token?.kind === 'string' || token?.text === ')' || token?.text === ']';
  }

  private add(kind: Token['kind'], text: string, start: number): void {
    this.tokens.push({ kind, text, start, end: this.at, depth: this.open.length });
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
