/** Containers within containers, the body itself counted: more is no honest input and overflows the libraries. */
export const MAX_DEPTH = 32;

/** Why an input must not reach the libraries, and where. */
export interface UnsafeInput {
  readonly rule: 'maxDepth' | 'isWellFormed';
  readonly message: string;
  /** From the outside in; empty when the whole input is meant. */
  readonly path: readonly string[];
}

/**
 * Looks for what makes class-transformer or a rule throw instead of fail: nesting beyond {@link MAX_DEPTH} levels
 * (a stack overflow) and lone surrogates, in a text or in a field's name (a `URIError` from the e-mail rule).
 *
 * A cycle counts as endless depth. Only plain objects and arrays are looked into, for only they come off the wire.
 *
 * @returns the first finding in the order of the input, or `undefined`
 */
export function findUnsafeInput(value: unknown): UnsafeInput | undefined {
  return look(value, [], 0);
}

function look(value: unknown, path: string[], depth: number): UnsafeInput | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : illFormed(path);
  if (!isPlain(value)) return undefined;
  if (depth === MAX_DEPTH) return tooDeep();
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) return illFormedName(path);
    path.push(key);
    const found = look(Reflect.get(value, key), path, depth + 1);
    if (found) return found;
    path.pop();
  }
  return undefined;
}

/**
 * A plain object or an array: what JSON and query strings are made of.
 *
 * Fastify's query objects have a prototype of their own that leads nowhere, so the test is where the chain ends.
 */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function illFormed(path: readonly string[]): UnsafeInput {
  return {
    rule: 'isWellFormed',
    message: `${path.at(-1) ?? 'the value'} must be well-formed Unicode text`,
    path: [...path],
  };
}

function illFormedName(path: readonly string[]): UnsafeInput {
  return {
    rule: 'isWellFormed',
    message: 'the name of a field must be well-formed Unicode text',
    path: [...path],
  };
}

function tooDeep(): UnsafeInput {
  return {
    rule: 'maxDepth',
    message: `the input must not be nested more than ${MAX_DEPTH} levels deep`,
    path: [],
  };
}
