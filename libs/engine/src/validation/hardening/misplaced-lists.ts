import 'reflect-metadata';
import type { PropertyRules, RuleShape } from '../../shapes/rules/rule-shape';
import { isFunction, isObject } from '../../shapes/values';
import type { ValidationError } from 'class-validator';

type Rule = PropertyRules['nested'][number];

/**
 * Finds lists and binary values in place of objects: `{ address: [] }`, `{ items: [[]] }`.
 *
 * For a list, class-validator validates the objects in it, at any depth. An empty list therefore passes a nested rule unchecked
 * and reaches a handler that reads its fields. A list that contains lists is refused too.
 *
 * @param instance an instance that passed class-validator, by the same rules
 */
export function findMisplacedLists(
  instance: object,
  rulesOf: (type: Function) => RuleShape,
): ValidationError[] {
  return rulesOf(instance.constructor).properties.flatMap((rules) => {
    const rule = rules.nested.at(-1);
    const value: unknown = Reflect.get(instance, rules.name);
    if (!rule || !isObject(value) || !isReached(rules, instance, value)) return [];
    if (ArrayBuffer.isView(value)) return [misplaced(rules.name, rule)];
    if (!Array.isArray(value)) return withChildren(rules.name, findMisplacedLists(value, rulesOf));
    if (isOneObject(instance.constructor, rules.name)) return [misplaced(rules.name, rule)];
    const errors = value.flatMap((element: unknown, index) => inList(rule, element, index, rulesOf));
    return withChildren(rules.name, errors);
  });
}

function inList(
  rule: Rule,
  element: unknown,
  index: number,
  rulesOf: (type: Function) => RuleShape,
): ValidationError[] {
  if (Array.isArray(element) || ArrayBuffer.isView(element)) return [misplaced(String(index), rule)];
  return isObject(element) ? withChildren(String(index), findMisplacedLists(element, rulesOf)) : [];
}

/** Whether the property was validated, because a condition may have skipped it. */
function isReached({ conditions }: PropertyRules, instance: object, value: unknown): boolean {
  return conditions.every(
    ({ constraints: [holds] }) => !isFunction(holds) || Boolean(holds(instance, value)),
  );
}

const lists = new Set<unknown>([undefined, Object, Array, Set, Map]);

function isOneObject(type: Function, property: string): boolean {
  return !lists.has(Reflect.getMetadata('design:type', type.prototype, property));
}

/**
 * Creates the error with the rule's own message, if it has a custom message. The default message would accept a list in place of
 * an object.
 */
function misplaced(property: string, { message, each, propertyName }: Rule): ValidationError {
  const hasWords = typeof message === 'string' && !message.endsWith('must be either object or array');
  const text = hasWords
    ? message.replaceAll('$property', () => propertyName)
    : `${each ? 'each value in ' : ''}nested property ${propertyName} must be an object`;
  return { property, constraints: { nestedValidation: text }, children: [] };
}

function withChildren(property: string, children: ValidationError[]): ValidationError[] {
  return children.length === 0 ? [] : [{ property, children }];
}
