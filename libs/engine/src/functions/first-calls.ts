import { isFunction } from '../shapes/values';
/**
 * The number of values that the libraries handle before a class is compiled. Compiling a class takes as long as some twenty
 * values in the libraries, and many classes in a program never have as many.
 */
const FIRST_CALLS = 20;

/** The effective number. The environment variable replaces it; with 0, a class is compiled at its first value. */
const least = Number(globalThis.process?.env['SLUICE_COMPILE_AFTER'] ?? FIRST_CALLS);

/** Counts the first values of each class for a function. */
export class FirstCalls {
  readonly #counts = new WeakMap<Function, number>();
  /** The class in the last call that compiled functions handled. */
  #compiled: unknown;

  readonly #most: number;

  constructor(most = least) {
    this.#most = most;
  }

  /**
   * Whether the libraries handle a call.
   *
   * @param type the class; the compiled function handles anything else
   * @param value a list counts as its elements
   */
  isAmong(type: unknown, value: unknown): boolean {
    if (type === this.#compiled || !isFunction(type)) return false;
    let count = this.#counts.get(type) ?? 0;
    if (count <= this.#most) this.#counts.set(type, (count += Array.isArray(value) ? value.length : 1));
    if (count <= this.#most) return true;
    this.#compiled = type;
    return false;
  }
}
