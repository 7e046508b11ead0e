/** A fragment of JavaScript that is safe to insert into a program. Only `code` and a `Scope` create one. */
export class Code {
  private constructor(readonly source: string) {}

  /** For this folder only: the text becomes code unchanged. */
  static written(source: string): Code {
    return new Code(source);
  }
}

/**
 * Writes JavaScript. A {@link Code} is inserted unchanged, a list of them line by line without the empty ones, and every
 * other value is printed as a literal, so that no string can become code.
 *
 * @throws TypeError for values without a literal (an object, a function, a symbol): hoist them with `Scope.hoist`
 */
export function code(strings: TemplateStringsArray, ...values: readonly unknown[]): Code {
  let text = strings[0]!;
  for (let at = 0; at < values.length; at++) text += print(values[at]) + strings[at + 1]!;
  return Code.written(text);
}

/**
 * Names a function: `functionOf(name, code\`(a) { return a; }\`)`. In parentheses it is compiled with its program; V8
 * would parse any other then, and once more when it is first called.
 */
export function functionOf(name: Code, rest: Code): Code {
  return code`var ${name} = (function${rest});`;
}

/** No code: a list of statements leaves it out. */
export const NOTHING = Code.written('');

/** Runs statements if a test holds, and alternatives, if there are any, if not. */
export function when(test: Code, steps: Statements, alternatives: Statements = NOTHING): Code {
  const otherwise = code`${[alternatives]}`;
  const first = code`if (${test}) {\n${[steps]}\n}`;
  return otherwise.source === '' ? first : code`${first} else {\n${otherwise}\n}`;
}

/** One or several statements. */
export type Statements = Code | readonly Code[];

/** A condition that does not hold. */
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

/** The source of a program for readers: its lines are indented by the blocks that they are in, and none is empty. */
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
