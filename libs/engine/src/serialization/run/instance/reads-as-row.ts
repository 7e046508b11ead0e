import { isFunction, prototypeOf } from '../../../shapes/values';
import { type Field, isNative } from '../../plan/plan-class';

/**
 * Returns a test that decides by the prototype whether an object from a different class can be read like a row. The class must
 * not be built-in or have a getter among the fields, since a getter may read other fields and count its calls.
 */
export function readsAsRow(fields: readonly Field[]): (prototype: object) => boolean {
  const cache = new WeakMap<object, boolean>();
  const names = ['then', ...fields.map(({ property }) => property)];
  /** The last accepted prototype, because all rows from a query have the same class. */
  let last: object | undefined;
  return (prototype) => {
    if (prototype === last) return true;
    const isRow = cache.get(prototype) ?? holdsOnly(prototype, names);
    cache.set(prototype, isRow);
    if (isRow) last = prototype;
    return isRow;
  };
}

function holdsOnly(prototype: object, names: readonly string[]): boolean {
  for (
    let current: object | null = prototype;
    current !== null && current !== Object.prototype;
    current = prototypeOf(current)
  ) {
    const builder: unknown = Object.getOwnPropertyDescriptor(current, 'constructor')?.value;
    if (isFunction(builder) && isNative(builder)) return false;
    const descriptors = names.map((name) => Object.getOwnPropertyDescriptor(current, name));
    if (descriptors.some((property) => property?.get ?? property?.set)) return false;
  }
  return true;
}
