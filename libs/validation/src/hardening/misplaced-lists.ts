import 'reflect-metadata';
import {
  getMetadataStorage,
  type ValidationError,
  ValidationTypes,
  type ValidatorOptions,
} from 'class-validator';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Finds lists in place of objects: `{ address: [] }`, `{ items: [[]] }`.
 *
 * class-validator takes a list for the objects in it, at any depth, so that an empty one passes a nested rule with
 * nothing checked and reaches a handler that reads fields of it. A list of lists of objects is refused with them.
 *
 * @param instance that passed class-validator, with the same `options`
 */
export function findMisplacedLists(instance: object, options: ValidatorOptions): ValidationError[] {
  const rules = rulesOf(instance.constructor, options);
  const nested = new Map(rules.filter(isNested).map((rule) => [rule.propertyName, rule]));
  return [...nested.values()].flatMap((rule) => {
    const { propertyName: property } = rule;
    const value: unknown = Reflect.get(instance, property);
    if (!isObject(value) || !isReached(rules, property, instance, value)) return [];
    if (!Array.isArray(value)) return withChildren(property, findMisplacedLists(value, options));
    if (isOneObject(instance.constructor, property)) return [misplaced(property, rule)];
    return withChildren(
      property,
      value.flatMap((element: unknown, index) => inList(rule, element, index, options)),
    );
  });
}

function inList(rule: Rule, element: unknown, index: number, options: ValidatorOptions): ValidationError[] {
  if (Array.isArray(element)) return [misplaced(String(index), rule)];
  return isObject(element) ? withChildren(String(index), findMisplacedLists(element, options)) : [];
}

function rulesOf(type: Function, { always, strictGroups, groups }: ValidatorOptions): Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(
    type,
    '',
    always ?? false,
    strictGroups ?? false,
    groups,
  );
}

function isNested({ type }: Rule): boolean {
  return type === ValidationTypes.NESTED_VALIDATION;
}

/** A condition of the property may have skipped its validation. */
function isReached(rules: readonly Rule[], property: string, instance: object, value: unknown): boolean {
  return rules
    .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION && rule.propertyName === property)
    .every(({ constraints: [holds] }) => typeof holds !== 'function' || Boolean(holds(instance, value)));
}

const lists = new Set<unknown>([undefined, Object, Array, Set, Map]);

function isOneObject(type: Function, property: string): boolean {
  return !lists.has(Reflect.getMetadata('design:type', type.prototype, property));
}

/** The rule's own message, if it has one; its default message would accept a list in place of an object. */
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
