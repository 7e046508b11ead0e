import { propertyOf } from '../../shapes/transforms/declared-rules';
import { classOfProperty } from './declared-types';
import { isPlain } from './unsafe-input';

/** One object of the input with fields named like members of its class. */
export interface TakenFields {
  /** Every field of the object, in order. */
  readonly order: readonly string[];
  /** The fields that were removed, with their values. */
  readonly taken: ReadonlyMap<string, unknown>;
}

/**
 * Removes from an input every field that is named like a member of its class: `toString`, `constructor`, a method, a
 * getter. They can never be set, so class-transformer silently drops them, or throws (an inherited getter; a string
 * converted from an object with its own `toString`). Members are never called.
 *
 * Works in place, as Nest's own pipe does when it removes `__proto__`: an input belongs to its request.
 *
 * @returns the removed fields, by object; empty for ordinary input
 */
export function takeMemberNames(type: Function, input: unknown): Map<object, TakenFields> {
  const found = new Map<object, TakenFields>();
  takeFrom(type, input, found, new Set());
  return found;
}

function takeFrom(type: Function, value: unknown, found: Map<object, TakenFields>, seen: Set<object>): void {
  if (!isPlain(value) || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const element of value) takeFrom(type, element, found, seen);
    return;
  }
  const order = Object.keys(value);
  const names = order.filter((name) => isMember(type, propertyOf(type, name)));
  if (names.length > 0) found.set(value, { order, taken: takeOut(value, names) });
  for (const name of Object.keys(value)) {
    const part: unknown = Reflect.get(value, name);
    if (isPlain(part)) takeFrom(classOfProperty(type, propertyOf(type, name), part), part, found, seen);
  }
}

function takeOut(value: object, names: readonly string[]): Map<string, unknown> {
  return new Map(
    names.map((name) => {
      const own: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      Reflect.deleteProperty(value, name);
      return [name, own];
    }),
  );
}

/** Names that are never a field, whatever the class: they access the prototype, or Nest's pipe removes them. */
const neverFields = new Set(['__proto__', 'prototype', 'constructor']);

function isMember(type: Function, name: string): boolean {
  return neverFields.has(name) || inheritsMember(type.prototype, name) || fieldsThatAct(type).has(name);
}

function inheritsMember(prototype: object | null, name: string): boolean {
  for (let one = prototype; one; one = Reflect.getPrototypeOf(one)) {
    const found = Object.getOwnPropertyDescriptor(one, name);
    if (found) return found.set === undefined;
  }
  return false;
}

const known = new WeakMap<Function, ReadonlySet<string>>();

/** Functions that a constructor sets on each instance (`run = () => …`); found by creating one, once per class. */
function fieldsThatAct(type: Function): ReadonlySet<string> {
  const names = known.get(type) ?? findFieldsThatAct(type);
  known.set(type, names);
  return names;
}

function findFieldsThatAct(type: Function): ReadonlySet<string> {
  try {
    const instance: unknown = Reflect.construct(type, []);
    return new Set(
      Object.entries(instance ?? {}).flatMap(([name, value]) => (typeof value === 'function' ? name : [])),
    );
  } catch {
    // A class whose constructor needs arguments cannot be created from input; the conversion itself throws.
    return new Set();
  }
}
