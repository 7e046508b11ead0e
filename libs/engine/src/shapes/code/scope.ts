import { isFunction } from '../values';
import { Code } from './code';
import { nameOfClass } from '../named';

/**
 * The values that a program refers to by name because they lack a literal: classes, functions, regular expressions, lists.
 *
 * Each value gets a name derived from its own name (`Item`, `minLength_2`), and is passed to the program when the program is
 * created.
 */
export class Scope {
  readonly #names = new Map<unknown, Code>();
  readonly #taken = new Set<string>();

  /** @returns the name of `value` in the program; the same value always gets the same name */
  hoist(value: unknown, hint = nameOf(value)): Code {
    const existing = this.#names.get(value);
    if (existing) return existing;
    const name = this.fresh(hint);
    this.#names.set(value, name);
    return name;
  }

  /**
   * Returns a unique name in the program, for a function or a variable.
   *
   * @param hint a name, or a class, whatever its static `name` is
   */
  fresh(hint: unknown): Code {
    const base = `$${String(hint).replace(/\W/g, '_')}`;
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}_${count}`;
    this.#taken.add(name);
    return Code.written(name);
  }

  /** Returns the name and value for each hoisted value, in order. */
  entries(): [name: string, value: unknown][] {
    return [...this.#names].map(([value, { source }]) => [source, value]);
  }
}

function nameOf(value: unknown): unknown {
  return (isFunction(value) && nameOfClass(value)) || typeof value;
}
