/** A JavaScript fragment that is safe to insert into a program. Only `code` and a `Scope` create fragments. */
export class Code {
  private constructor(readonly source: string) {}

  /** Turns text into code unchanged. It is for this folder only. */
  static written(source: string): Code {
    return new Code(source);
  }
}

/**
 * Writes JavaScript. A {@link Code} is inserted unchanged. A list is inserted line by line, and its empty fragments are left
 * out. Every other value is printed as a literal, so that it always stays data.
 *
 * @throws TypeError for values without a literal (an object, a function, a symbol): hoist them with `Scope.hoist`
 */
export function code(strings: TemplateStringsArray, ...values: readonly unknown[]): Code {
  let text = strings[0]!;
  for (let at = 0; at < values.length; at++) text += print(values[at]) + strings[at + 1]!;
  return Code.written(text);
}

/**
 * Names a function: `functionOf(name, code\`(a) { return a; }\`)`. The parentheses make V8 compile the function with its
 * program. Otherwise V8 only parses it then, and parses it again at its first call.
 */
export function functionOf(name: Code, rest: Code): Code {
  return code`var ${name} = (function${rest});`;
}

/** The empty code, which a statement list leaves out. */
export const NOTHING = Code.written('');

/** Runs statements if a test holds, and otherwise the alternatives, if present. */
export function when(test: Code, steps: Statements, alternatives: Statements = NOTHING): Code {
  const otherwise = code`${[alternatives]}`;
  const first = code`if (${test}) {\n${[steps]}\n}`;
  return otherwise.source === '' ? first : code`${first} else {\n${otherwise}\n}`;
}

/** A single statement or a list of statements. */
export type Statements = Code | readonly Code[];

/** Negates a condition. */
export function not(test: Code): Code {
  return Code.written(`!(${test.source})`);
}

/** Joins fragments with a fixed separator: `joined(checks, ' && ')`. */
export function joined(pieces: readonly Code[], separator: ' && ' | ' || ' | ', ' | '\n'): Code {
  return Code.written(pieces.map(({ source }) => source).join(separator));
}

/** Reads or names a property: `o.email`, `o["first-name"]`. */
export function member(object: Code, name: string): Code {
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? Code.written(`${object.source}.${name}`)
    : code`${object}[${name}]`;
}

function print(value: unknown): string {
  if (value instanceof Code) return value.source;
  if (Array.isArray(value)) return value.map(print).filter(Boolean).join('\n');
  return literal(value);
}

function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'boolean' || value === undefined || value === null) return String(value);
  throw new TypeError(`A ${typeof value} has no literal. Hoist it, and use the name that it gets.`);
}

/** Formats the source of a program for readers. It indents each line by its blocks and removes empty lines. */
export function indented(source: string): string {
  let depth = 0;
  const lines = source.split('\n').flatMap((line) => {
    const text = line.trim();
    if (text === '') return [];
    const own = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
    const closed = own.length - own.replaceAll(/[)}\]]/g, '').length;
    const opened = own.length - own.replaceAll(/[({[]/g, '').length;
    const isClosing = /^[)}\]]/.test(text);
    const indent = '  '.repeat(Math.max(0, depth - Number(isClosing)));
    depth += Math.sign(opened - closed);
    return indent + text;
  });
  return lines.join('\n');
}
