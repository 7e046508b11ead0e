import { type Field, isNative } from '../../plan/plan-class';

/**
 * Returns a test that decides by the prototype whether an object from a different class can be read like a row. The class must
 * not be built-in or have a getter among the fields, since a getter may read other fields and count its calls.
 */
export function readsAsRow(fields: readonly Field[]): (prototype: object) => boolean {
  const known = new WeakMap<object, boolean>();
  const names = ['then', ...fields.map(({ property }) => property)];
  /** The last accepted prototype, because all rows from a query have the same class. */
  let last: object | undefined;
  return (prototype) => {
    if (prototype === last) return true;
    const found = known.get(prototype) ?? holdsOnly(prototype, names);
    known.set(prototype, found);
    if (found) last = prototype;
    return found;
  };
}

function holdsOnly(prototype: object, names: readonly string[]): boolean {
  for (let one = prototype; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    const made: unknown = Object.getOwnPropertyDescriptor(one, 'constructor')?.value;
    if (typeof made === 'function' && isNative(made)) return false;
    const found = names.map((name) => Object.getOwnPropertyDescriptor(one, name));
    if (found.some((property) => property?.get ?? property?.set)) return false;
  }
  return true;
}
