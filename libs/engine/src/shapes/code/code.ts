/** A fragment of JavaScript that is safe to insert into a program. Only `code` and a `Scope` create one. */
export class Code {
  private constructor(readonly source: string) {}

  /** For this folder only: the text becomes code unchanged. */
  static written(source: string): Code {
    return new Code(source);
  }
}

/**
 * Writes JavaScript. A {@link Code} is inserted unchanged, a list of them line by line, and every other value is
 * printed as a literal, so that no string can become code.
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
  if (Array.isArray(value)) return value.map(print).join('\n');
  return literal(value);
}

function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'boolean' || value === undefined || value === null) return String(value);
  throw new TypeError(`A ${typeof value} has no literal. Hoist it, and use the name that it gets.`);
}
