/**
 * The number of values of a class that the libraries handle before it is compiled: compiling a class takes as long as
 * some twenty values in the libraries, and many classes of a program never have as many.
 */
const FIRST_CALLS = 20;

/** The environment variable replaces the number; with 0, a class is compiled for its first value. */
const least = Number(globalThis.process?.env['SLUICE_COMPILE_AFTER'] ?? FIRST_CALLS);

/** Counts the first values of each class for one function. */
export class FirstCalls {
  private readonly counts = new WeakMap<Function, number>();
  /** The class of the last call that was not among the first. */
  private compiled: unknown;

  constructor(private readonly most = least) {}

  /**
   * Whether the libraries handle a call.
   *
   * @param type  the class; anything else is left to the compiled function
   * @param value a list counts as its elements
   */
  isAmong(type: unknown, value: unknown): boolean {
    if (type === this.compiled || typeof type !== 'function') return false;
    let count = this.counts.get(type) ?? 0;
    if (count <= this.most) this.counts.set(type, (count += Array.isArray(value) ? value.length : 1));
    if (count <= this.most) return true;
    this.compiled = type;
    return false;
  }
}
