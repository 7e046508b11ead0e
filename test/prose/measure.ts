import ts from 'typescript';

/** A text to measure, and the file or pointer where a contributor finds it. */
export interface Text {
  /** The file or pointer, such as `docs/guides/errors.md`. */
  readonly place: string;
  readonly prose: string;
}

/** The measures for a group of texts. */
export interface Rates {
  /** The occurrences of `of` per 1,000 words. */
  readonly of: number;
  /** The occurrences of pronouns such as `one`, `those` and `what` per 1,000 words. */
  readonly pronouns: number;
  /** The occurrences of negations such as `not`, `no` and `without` per 1,000 words. */
  readonly negations: number;
  /** The percentage of texts that begin with a preposition or a pronoun. */
  readonly firstWords: number;
}

const counted = {
  of: /\bof\b/gi,
  pronouns: /\b(?:ones?|others|another|those|that of|whose|whoever|none|what)\b(?!-)/gi,
  negations: /\b(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|\w+n['’]t)\b(?!-)/gi,
};
const excludedFirstWord = /^\W*(?:of|by|as|with|without|in|those|one|what|such|if|its)\b/i;

/** Measures texts as a whole. */
export function measure(texts: readonly Text[]): Rates {
  const words = countWords(texts);
  const rate = (pattern: RegExp) =>
    perHundred(10 * texts.reduce((sum, { prose }) => sum + (prose.match(pattern)?.length ?? 0), 0), words);
  return {
    of: rate(counted.of),
    pronouns: rate(counted.pronouns),
    negations: rate(counted.negations),
    firstWords: perHundred(texts.filter(({ prose }) => excludedFirstWord.test(prose)).length, texts.length),
  };
}

/** Counts the words of texts. */
export function countWords(texts: readonly Text[]): number {
  return texts.reduce((sum, { prose }) => sum + (prose.match(/[a-z][\w'-]*/gi)?.length ?? 0), 0);
}

/** Returns a percentage with a single decimal. */
function perHundred(count: number, total: number): number {
  return Math.round((1000 * count) / Math.max(1, total)) / 10;
}

/** Returns the prose in a Markdown page. Code blocks, comments and addresses are left out, and inline code counts as a word. */
export function proseOf(page: string): string {
  return page
    .replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>\n]+>/g, ' ')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/https?:\S+/g, 'code');
}

/** Returns the doc comments in a source file, each as a text. Examples and the names in tags are left out. */
export function docComments(path: string, source: string): Text[] {
  return [...source.matchAll(/^[ \t]*\/\*\*([^]*?)\*\//gm)]
    .map(([, comment = '']) => ({ place: path, prose: proseOf(withoutTags(comment)).trim() }))
    .filter(({ prose }) => prose !== '');
}

function withoutTags(comment: string): string {
  return comment
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .replaceAll(/\{@\w+ ([^}]*)\}/g, '`$1`')
    .replaceAll(/^ *@(?:example|see)\b[^]*?(?=^ *@|$(?![^]))/gm, '')
    .replaceAll(/^ *@(?:param|typeParam) +\S+/gm, '')
    .replaceAll(/^ *@\w+/gm, '');
}

/** Returns the summaries and descriptions in an OpenAPI document, each as a text. */
export function openApiTexts(place: string, document: object): Text[] {
  return Object.entries(document).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return openApiTexts(`${place}/${key}`, value);
    const isText = typeof value === 'string' && /^(?:summary|description)$/.test(key);
    return isText ? [{ place, prose: proseOf(value) }] : [];
  });
}

const vagueNames = new Set('one other given made found held known said told tried'.split(' '));
const vagueName = new RegExp(`\\b(?:${[...vagueNames].join('|')})\\b`);

/** Returns the variables and parameters with a vague name in a source file, such as `libs/auth/src/guard.ts:12 other`. */
export function vagueVariables(path: string, source: string): string[] {
  if (!vagueName.test(source.replaceAll(/^\s*(?:\*|\/\*|\/\/).*$/gm, ''))) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const variables: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) {
      const { name } = node;
      if (ts.isIdentifier(name) && vagueNames.has(name.text))
        variables.push(
          `${path}:${file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1} ${name.text}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return variables;
}
