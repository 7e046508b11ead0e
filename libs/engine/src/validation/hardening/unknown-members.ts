import type { ValidationError } from 'class-validator';
import type { RuleShape } from '../../shapes/rules/rule-shape';
import { propertyOf } from '../../shapes/transforms/declared-rules';
import { isObject } from '../../shapes/values';
import type { InputPath, MemberFields } from './inspect-input';

/** The prefix of the placeholder names for removed fields while class-validator runs. */
const STAND_IN = '\0member:';

/** Returns the rules of a class. */
type RulesOf = (type: Function) => RuleShape;

/**
 * Removes fields that are named like members from an input, in place, since an input belongs to its request. Nest's own pipe
 * removes `__proto__` in the same way.
 */
export function removeMembers(members: readonly MemberFields[]): void {
  for (const { object, values } of members)
    for (const name of values.keys()) Reflect.deleteProperty(object, name);
}

/**
 * Makes class-validator report removed fields as unknown fields, where the whitelist applies and in their original order.
 *
 * Each field is set on its instance under a name that no rule can have. The errors get the real name back.
 *
 * @param validate runs class-validator on `instance`
 */
export function withUnknownMembers(
  members: readonly MemberFields[],
  instance: object,
  rulesOf: RulesOf,
  validate: () => ValidationError[] | Promise<ValidationError[]>,
): ValidationError[] | Promise<ValidationError[]> {
  const unmark = markAll(members, instance, rulesOf);
  let errors: ValidationError[] | Promise<ValidationError[]> = [];
  try {
    errors = validate();
  } finally {
    if (!(errors instanceof Promise)) unmark();
  }
  return errors instanceof Promise ? errors.finally(unmark).then(restoreNames) : restoreNames(errors);
}

/** @returns a function that removes the marks */
function markAll(members: readonly MemberFields[], root: object, rulesOf: RulesOf): () => void {
  const instanceAt = instanceFinder(root);
  const marks = members.flatMap((fields) => {
    const instance = instanceAt(fields.path);
    return instance ? mark(instance, fields, rulesOf).map((name) => ({ instance, name })) : [];
  });
  return () => {
    for (const { instance, name } of marks) Reflect.deleteProperty(instance, name);
  };
}

/** Finds the instance for each input part. The elements in a set are listed once. */
function instanceFinder(root: object): (path: InputPath) => object | undefined {
  const lists = new Map<object, readonly unknown[]>();
  const elementsOf = (list: object): readonly unknown[] => {
    if (Array.isArray(list)) return list;
    const elements = lists.get(list) ?? (isIterable(list) ? [...list] : []);
    lists.set(list, elements);
    return elements;
  };
  return (path) => {
    let part: unknown = root;
    for (const step of path) {
      if (!isObject(part)) return undefined;
      if (typeof step === 'number') part = elementsOf(part)[step];
      else part = Object.getOwnPropertyDescriptor(part, propertyOf(part.constructor, step))?.value;
    }
    return isObject(part) ? part : undefined;
  };
}

function mark(instance: object, { order, values }: MemberFields, rulesOf: RulesOf): string[] {
  const type = instance.constructor;
  const declared = new Set(rulesOf(type).properties.map(({ name }) => name));
  const unknown = [...values.keys()].filter((name) => !declared.has(propertyOf(type, name)));
  const names = Object.keys(instance);
  for (const name of unknown) {
    const before = order
      .slice(0, order.indexOf(name))
      .map((field) => (values.has(field) ? STAND_IN + field : propertyOf(type, field)));
    const place = Math.max(-1, ...before.map((field) => names.indexOf(field)));
    names.splice(place + 1, 0, STAND_IN + name);
  }
  reorder(instance, names, new Map(unknown.map((name) => [STAND_IN + name, values.get(name)])));
  return unknown.map((name) => STAND_IN + name);
}

/** Redefines every own property, since the definition order determines the order of whitelist errors. */
function reorder(instance: object, names: readonly string[], added: ReadonlyMap<string, unknown>): void {
  for (const name of names) {
    const own = Object.getOwnPropertyDescriptor(instance, name) ?? plainProperty(added.get(name));
    Reflect.deleteProperty(instance, name);
    Object.defineProperty(instance, name, own);
  }
}

function plainProperty(value: unknown): PropertyDescriptor {
  return { value, configurable: true, enumerable: true, writable: true };
}

function restoreNames(errors: ValidationError[]): ValidationError[] {
  for (const error of errors) {
    if (error.property?.startsWith(STAND_IN)) restoreName(error);
    restoreNames(error.children ?? []);
  }
  return errors;
}

function restoreName(error: ValidationError): void {
  error.property = error.property.slice(STAND_IN.length);
  for (const [rule, text] of Object.entries(error.constraints ?? {})) {
    error.constraints = { ...error.constraints, [rule]: text.replace(STAND_IN, '') };
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
