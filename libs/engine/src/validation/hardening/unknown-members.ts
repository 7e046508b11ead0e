import type { ValidationError } from 'class-validator';
import type { RuleShape } from '../../shapes/rules/rule-shape';
import { propertyOf } from '../../shapes/transforms/declared-rules';
import type { TakenFields } from './own-names';
import { isPlain } from './unsafe-input';

/** The prefix of the placeholder names of removed fields while class-validator runs. */
const STAND_IN = '\0member:';

/** Returns the rules of a class. */
type RulesOf = (type: Function) => RuleShape;

/** An instance with placeholders, and the names that they represent. */
interface Marked {
  readonly instance: object;
  readonly names: readonly string[];
}

/**
 * Makes class-validator report removed fields as unknown fields: where the whitelist applies, and in their place
 * among the others.
 *
 * Each is set on its instance with a name that no rule can have; its real name is restored in the errors.
 *
 * @param taken the result of `takeMemberNames` for `input`
 * @param validate runs class-validator on `instance`
 */
export function withUnknownMembers(
  taken: ReadonlyMap<object, TakenFields>,
  input: unknown,
  instance: object,
  rulesOf: RulesOf,
  validate: () => ValidationError[] | Promise<ValidationError[]>,
): ValidationError[] | Promise<ValidationError[]> {
  const marked: Marked[] = [];
  markAll(taken, input, instance, rulesOf, marked);
  let errors: ValidationError[] | Promise<ValidationError[]> = [];
  try {
    errors = validate();
  } finally {
    if (!(errors instanceof Promise)) unmark(marked);
  }
  if (!(errors instanceof Promise)) return restoreNames(errors);
  return errors.finally(() => unmark(marked)).then(restoreNames);
}

function unmark(marked: readonly Marked[]): void {
  for (const { instance, names } of marked) for (const name of names) Reflect.deleteProperty(instance, name);
}

function markAll(
  taken: ReadonlyMap<object, TakenFields>,
  input: unknown,
  instance: unknown,
  rulesOf: RulesOf,
  marked: Marked[],
): void {
  if (!isPlain(input) || typeof instance !== 'object' || instance === null) return;
  if (Array.isArray(input)) {
    const elements = [...(isIterable(instance) ? instance : [])];
    input.forEach((element, index) => markAll(taken, element, elements[index], rulesOf, marked));
    return;
  }
  for (const name of Object.keys(input)) {
    const part = Object.getOwnPropertyDescriptor(instance, propertyOf(instance.constructor, name))
      ?.value as unknown;
    markAll(taken, Reflect.get(input, name), part, rulesOf, marked);
  }
  const fields = taken.get(input);
  if (fields) marked.push({ instance, names: mark(instance, fields, rulesOf) });
}

function mark(instance: object, { order, taken }: TakenFields, rulesOf: RulesOf): string[] {
  const type = instance.constructor;
  const declared = new Set(rulesOf(type).properties.map((one) => one.name));
  const unknown = [...taken.keys()].filter((name) => !declared.has(propertyOf(type, name)));
  const names = Object.keys(instance);
  for (const name of unknown) {
    const before = order
      .slice(0, order.indexOf(name))
      .map((one) => (taken.has(one) ? STAND_IN + one : propertyOf(type, one)));
    const place = Math.max(-1, ...before.map((one) => names.indexOf(one)));
    names.splice(place + 1, 0, STAND_IN + name);
  }
  reorder(instance, names, new Map(unknown.map((name) => [STAND_IN + name, taken.get(name)])));
  return unknown.map((name) => STAND_IN + name);
}

/** Defines every own property again, since the order of definition determines the order of whitelist errors. */
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
