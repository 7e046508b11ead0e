import { isObject } from '../../shapes/values';
import { code } from '../../shapes/code/code';
import type { JsonSchema } from '../../shapes/wire/meaning';
import { isEnum } from 'class-validator';
import type { ByName, RuleFacts, RuleTest } from './rule';

export const choiceTests: ByName<RuleTest> = {
  /** Reads the list at each validation, since it may change; holes are skipped. The library decides without a list. */
  IsIn: {
    test: ([list]) => (Array.isArray(list) ? (value) => list.indexOf(value) !== -1 : undefined),
    emit: (value, scope, [list]) => code`${scope.hoist(list, 'choices')}.indexOf(${value}) !== -1`,
  },
  IsNotIn: {
    test: ([list]) => (Array.isArray(list) ? (value) => list.indexOf(value) === -1 : undefined),
    emit: (value, scope, [list]) => code`${scope.hoist(list, 'choices')}.indexOf(${value}) === -1`,
  },
  Equals: {
    test:
      ([comparison]) =>
      (value) =>
        value === comparison,
    emit: (value, scope, [comparison]) => code`${value} === ${scope.hoist(comparison, 'other')}`,
  },
  NotEquals: {
    test:
      ([comparison]) =>
      (value) =>
        value !== comparison,
    emit: (value, scope, [comparison]) => code`${value} !== ${scope.hoist(comparison, 'other')}`,
  },
  /** Reads the members at each validation, since they may change; the library tells whether `NaN` is found. */
  IsEnum: {
    test: ([members]) =>
      isObject(members) ? (value) => isMember(members as Record<string, unknown>, value) : undefined,
  },
};

/** Whether an enum contains a value. A numeric enum also contains its names, and numeric keys make a loop slow. */
function isMember(members: Record<string, unknown>, value: unknown): boolean {
  if (typeof value === 'number' && isNamed(members, members[value], value)) return true;
  if (Number.isNaN(value)) return isEnum(value, members);
  for (const name in members) if (members[name] === value && Object.hasOwn(members, name)) return true;
  return false;
}

function isNamed(members: Record<string, unknown>, name: unknown, value: number): boolean {
  return typeof name === 'string' && members[name] === value && isEnumerable.call(members, name);
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;

export const choiceFacts: ByName<RuleFacts> = {
  IsIn: { arguments: ['values'], keywords: (allowed: unknown) => oneOf(allowed) },
  IsNotIn: {
    arguments: ['values'],
    isOpen: true,
    keywords: (refused: unknown) => (Array.isArray(refused) ? { not: { enum: refused } } : undefined),
  },
  Equals: {
    arguments: ['value'],
    keywords: (value: unknown) => (isJson(value) ? { const: value } : undefined),
  },
  NotEquals: {
    arguments: ['value'],
    isOpen: true,
    keywords: (value: unknown) => (isJson(value) ? { not: { const: value } } : undefined),
  },
  IsEnum: {
    // The first argument is the enum, the second its values.
    arguments: ['', 'values'],
    keywords: (members: object) => oneOf([...new Set(Object.values(members))]),
  },
};

function oneOf(allowed: unknown): JsonSchema | undefined {
  if (!Array.isArray(allowed) || !allowed.every(isJson)) return undefined;
  const kinds = new Set(allowed.map((value) => typeof value));
  const [kind = ''] = kinds;
  const type = kinds.size === 1 && ['string', 'number', 'boolean'].includes(kind) ? { type: kind } : {};
  return { ...type, enum: allowed };
}

/** Whether a value is compared by `===` and can be represented in JSON. */
function isJson(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}
