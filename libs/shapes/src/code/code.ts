/** A piece of JavaScript that is safe to put into a program. Only `code` and a `Scope` make one. */
export class Code {
  private constructor(readonly source: string) {}

  /** For this folder alone: the text becomes code as it stands. */
  static written(source: string): Code {
    return new Code(source);
  }
}

/**
 * Writes JavaScript. A {@link Code} stands as it is, a list of them one under the other, and every other value is
 * printed as a literal, so that no string can become code.
 *
 * @throws TypeError for what has no literal (an object, a function, a symbol): hoist it with `Scope.hoist`
 */
export function code(strings: TemplateStringsArray, ...values: readonly unknown[]): Code {
  return Code.written(strings.reduce((text, next, index) => text + print(values[index - 1]) + next));
}

/** Puts pieces one after another with a separator of ours between them: `joined(checks, ' && ')`. */
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
  throw new TypeError(`A ${typeof value} has no literal. Hoist it, and write the name it gets.`);
}
