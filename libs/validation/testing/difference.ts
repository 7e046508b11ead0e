/**
 * Finds where two values differ, as closely as can be seen: prototypes, own keys and their order, absent against
 * undefined, holes, `-0`, and what stands in sets and maps in which order.
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
  if (typeof one === 'function' || typeof other === 'function') return `${path}: another function`;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return `${path}: another prototype`;
  if (one instanceof Date && !Object.is(one.getTime(), (other as Date).getTime()))
    return `${path}: another date`;
  const keys = Reflect.ownKeys(one);
  const theirs = Reflect.ownKeys(other);
  if (keys.map(String).join() !== theirs.map(String).join())
    return `${path}: keys ${keys.map(String).join()} against ${theirs.map(String).join()}`;
  for (const key of keys) {
    const found = walk(held(one, key), held(other, key), `${path}.${String(key)}`, met);
    if (found) return found;
  }
  if (!(one instanceof Map || one instanceof Set)) return undefined;
  return walk([...one], [...(other as Set<unknown>)], `${path}[…]`, met);
}

function held(object: object, key: string | symbol): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  return descriptor && 'value' in descriptor ? descriptor.value : descriptor?.get;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function show(value: unknown): string {
  if (isObject(value))
    return typeof value === 'function' ? 'a function' : `an object ${Object.keys(value).join()}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
