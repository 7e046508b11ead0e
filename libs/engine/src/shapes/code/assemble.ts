import type { Code } from './code';
import type { Scope } from './scope';

/** An assembled program, and its source. */
export interface Assembled<Made> {
  readonly made: Made;
  /** The source, read from the JavaScript engine, which keeps it anyway. */
  readonly source: string;
}

/**
 * Compiles a program. This is the only place where text becomes code.
 *
 * @param name the name in debuggers: `sluice/<name>.js`
 * @param body statements that end in `return`
 * @throws EvalError if code generation is forbidden; call {@link canAssemble} first
 */
export function assemble<Made>(name: string, body: Code, scope: Scope): Assembled<Made> {
  const entries = scope.entries();
  const label = `//# sourceURL=sluice/${name.replaceAll(/\W/g, '_')}.js\n`;
  const text = `'use strict';\n${body.source}\n${label}`;
  const make = new Function(...entries.map(([key]) => key), text) as (...values: unknown[]) => Made;
  return {
    made: make(...entries.map(([, value]) => value)),
    get source() {
      const written = Function.prototype.toString.call(make);
      return written.slice(written.indexOf(STRICT), written.lastIndexOf('//# sourceURL='));
    },
  };
}

const STRICT = "'use strict';\n";

/** Whether code generation is possible. Edge platforms and `--disallow-code-generation-from-strings` forbid it. */
export function canAssemble(): boolean {
  try {
    return Reflect.construct(Function, ['return true'])() === true;
  } catch {
    return false;
  }
}
