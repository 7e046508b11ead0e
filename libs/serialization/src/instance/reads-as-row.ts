import { type Field, isNative } from '../plan/plan-class';

/**
 * Which objects of other classes hold some fields as a row does, told by their prototype: those that are nothing built
 * in, and of which no getter works a field out, for it might look at the others and count how often it is asked.
 */
export function readsAsRow(fields: readonly Field[]): (prototype: object) => boolean {
  const known = new WeakMap<object, boolean>();
  const names = ['then', ...fields.map(({ property }) => property)];
  /** Rows come from one query, and have one class. */
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
