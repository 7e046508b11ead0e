import type { Code } from './code';
import type { Scope } from './scope';

/** A program that has been made, and the text it was made from. */
export interface Assembled<Made> {
  readonly made: Made;
  /** Read from the engine, which keeps it anyway. */
  readonly source: string;
}

/**
 * Makes a program from its text. This is the only place where text becomes code.
 *
 * @param name what a debugger shows: `sluice/<name>.js`
 * @param body statements that end in `return`
 * @throws EvalError where code generation is forbidden; ask {@link canAssemble} first
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

/** Says whether text may become code here: not under `--disallow-code-generation-from-strings`, nor at the edge. */
export function canAssemble(): boolean {
  try {
    return Reflect.construct(Function, ['return true'])() === true;
  } catch {
    return false;
  }
}
