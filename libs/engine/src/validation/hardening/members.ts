import { isFunction, keptIn, prototypeOf } from '../../shapes/values';
/** The names that are never a field, whatever the class is. They access the prototype, or Nest's pipe removes them. */
export const NEVER_FIELDS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** Whether a property is a class member: a method, a getter without a setter, or a function that the constructor sets. */
export function isMember(type: Function, name: string): boolean {
  return NEVER_FIELDS.has(name) || inheritsMember(type.prototype, name) || actingFields(type).has(name);
}

function inheritsMember(prototype: object | null, name: string): boolean {
  for (let owner = prototype; owner; owner = prototypeOf(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor) return descriptor.set === undefined;
  }
  return false;
}

const fields = new WeakMap<Function, ReadonlySet<string>>();

/**
 * Returns the functions that a constructor sets on each instance (`run = () => …`).
 * They are found by creating an instance, once per class.
 */
function actingFields(type: Function): ReadonlySet<string> {
  return keptIn(fields, type, () => findActingFields(type));
}

function findActingFields(type: Function): ReadonlySet<string> {
  try {
    const instance: unknown = Reflect.construct(type, []);
    return new Set(
      Object.entries(instance ?? {}).flatMap(([name, value]) => (isFunction(value) ? name : [])),
    );
  } catch {
    // A class whose constructor needs arguments cannot be created from input; the conversion itself throws.
    return new Set();
  }
}
