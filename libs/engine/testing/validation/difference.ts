/**
 * Finds the first difference between two values: prototypes, own keys and their order, absent versus undefined, holes, `-0`, and
 * the contents and order of sets and maps. Stack traces are ignored, and functions created from the same text are equal.
 *
 * @returns the first difference with its path, or `undefined`
 */
export function differenceOf(a: unknown, b: unknown): string | undefined {
  return walk(a, b, '', new Map());
}

function walk(a: unknown, b: unknown, path: string, met: Map<object, unknown>): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (!isObject(a) || !isObject(b)) return `${path}: ${show(a)} against ${show(b)}`;
  if (met.has(a)) return met.get(a) === b ? undefined : `${path}: another object`;
  met.set(a, b);
  return inside(a, b, path, met);
}

function inside(a: object, b: object, path: string, met: Map<object, unknown>): string | undefined {
  if ((typeof a === 'function' || typeof b === 'function') && !haveSameText(a, b))
    return `${path}: another function`;
  const [prototype, expected] = [a, b].map((value): unknown => Object.getPrototypeOf(value));
  // A property may be exposed as the prototype, which is then a list of the input.
  if (prototype !== expected && !(Array.isArray(prototype) && Array.isArray(expected)))
    return `${path}: another prototype`;
  if (a instanceof Date && !Object.is(a.getTime(), (b as Date).getTime())) return `${path}: another date`;
  const keys = Reflect.ownKeys(a);
  const theirs = Reflect.ownKeys(b);
  if (!isSameList(keys, theirs))
    return `${path}: keys ${keys.map(String).join()} against ${theirs.map(String).join()}`;
  for (const key of keys) {
    if (key === 'stack' && a instanceof Error) continue;
    const mine: unknown = Reflect.get(a, key);
    const yours: unknown = Reflect.get(b, key);
    if (Object.is(mine, yours)) continue;
    const difference = walk(mine, yours, `${path}.${String(key)}`, met);
    if (difference) return difference;
  }
  if (!(a instanceof Map || a instanceof Set)) return undefined;
  return walk([...a], [...(b as Set<unknown>)], `${path}[…]`, met);
}

/**
 * Whether `new Function()` created both values from the same text. class-transformer creates such a function in each conversion
 * to the type `Function`.
 */
function haveSameText(a: object, b: object): boolean {
  return isAnonymous(a) && isAnonymous(b) && String(a) === String(b);
}

function isAnonymous(value: object): boolean {
  return typeof value === 'function' && value.name === 'anonymous';
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((element, at) => element === b[at]);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function show(value: unknown): string {
  if (isObject(value))
    return typeof value === 'function' ? 'a function' : `an object ${Object.keys(value).join()}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
