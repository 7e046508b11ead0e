/**
 * Finds the first difference between two values: prototypes, own keys and their order, absent versus undefined, holes, `-0`, and
 * the contents and order of sets and maps. Stack traces are ignored, and functions created from the same text are equal.
 *
 * @returns the first difference with its path, or `undefined`
 */
export function differenceOf(one: unknown, other: unknown): string | undefined {
  return walk(one, other, '', new Map());
}

function walk(one: unknown, other: unknown, path: string, met: Map<object, unknown>): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (!isObject(one) || !isObject(other)) return `${path}: ${show(one)} against ${show(other)}`;
  if (met.has(one)) return met.get(one) === other ? undefined : `${path}: another object`;
  met.set(one, other);
  return inside(one, other, path, met);
}

function inside(one: object, other: object, path: string, met: Map<object, unknown>): string | undefined {
  if ((typeof one === 'function' || typeof other === 'function') && !haveSameText(one, other))
    return `${path}: another function`;
  const [prototype, expected] = [one, other].map((value): unknown => Object.getPrototypeOf(value));
  // A property may be exposed as the prototype, which is then a list of the input.
  if (prototype !== expected && !(Array.isArray(prototype) && Array.isArray(expected)))
    return `${path}: another prototype`;
  if (one instanceof Date && !Object.is(one.getTime(), (other as Date).getTime()))
    return `${path}: another date`;
  const keys = Reflect.ownKeys(one);
  const theirs = Reflect.ownKeys(other);
  if (!isSameList(keys, theirs))
    return `${path}: keys ${keys.map(String).join()} against ${theirs.map(String).join()}`;
  for (const key of keys) {
    if (key === 'stack' && one instanceof Error) continue;
    const mine: unknown = Reflect.get(one, key);
    const yours: unknown = Reflect.get(other, key);
    if (Object.is(mine, yours)) continue;
    const found = walk(mine, yours, `${path}.${String(key)}`, met);
    if (found) return found;
  }
  if (!(one instanceof Map || one instanceof Set)) return undefined;
  return walk([...one], [...(other as Set<unknown>)], `${path}[…]`, met);
}

/**
 * Whether `new Function()` created both values from the same text. class-transformer creates such a function in each conversion
 * to the type `Function`.
 */
function haveSameText(one: object, other: object): boolean {
  return isAnonymous(one) && isAnonymous(other) && String(one) === String(other);
}

function isAnonymous(value: object): boolean {
  return typeof value === 'function' && value.name === 'anonymous';
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((element, at) => element === other[at]);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function show(value: unknown): string {
  if (isObject(value))
    return typeof value === 'function' ? 'a function' : `an object ${Object.keys(value).join()}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
