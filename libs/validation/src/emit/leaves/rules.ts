import type { ValueRule } from '@app/shapes';
import * as library from 'class-validator';
import { arrayMaxSize, arrayMinSize, arrayNotEmpty } from './arrays';
import { equals, isEnum, isIn, isNotIn, notEquals } from './choices';
import { called, calledByReference, type Leaf, type Predicate } from './rule';
import { isEmail } from './email';
import { length, maxLength, minLength } from './lengths';
import { isNegative, isPositive, max, min } from './numbers';
import { isDateString, isISO8601, isMongoId, isNumberString, isUUID, matches } from './patterns';
import { isDefined, isEmpty, isNotEmpty } from './presence';
import { isArray, isBoolean, isInt, isNumber, isObject, isString } from './types';

/** Every rule that is known, by the name of its decorator. */
export const LEAVES: ReadonlyMap<string, Leaf> = new Map(
  [
    ...[isString, isBoolean, isInt, isNumber, isArray, isObject],
    ...[isDefined, isNotEmpty, isEmpty],
    ...[isIn, isNotIn, isEnum, equals, notEquals],
    ...[min, max, isPositive, isNegative, minLength, maxLength, length],
    ...[arrayMinSize, arrayMaxSize, arrayNotEmpty],
    ...[matches, isUUID, isISO8601, isDateString, isMongoId, isNumberString, isEmail],
    called('IsDate', library.isDate),
    called('IsUrl', library.isURL),
    called('Contains', library.contains),
  ].map((one) => [one.name, one]),
);

/** A rule, and its proven form for its arguments. */
export interface KnownRule {
  readonly leaf: Leaf;
  readonly constraints: readonly unknown[];
  readonly test: Predicate;
}

/** The known form of a declared rule, or `undefined` if it is user code or has state. */
export function knownRule({ builtin, ownTest, declared, validators }: ValueRule): KnownRule | undefined {
  if (ownTest) return { leaf: called(declared.name ?? 'ownRule', ownTest), constraints: [], test: ownTest };
  if (builtin === undefined) return undefined;
  const leaf = LEAVES.get(builtin);
  const constraints = (declared.constraints as readonly unknown[] | undefined) ?? [];
  const test = leaf?.test(constraints);
  if (leaf && test) return { leaf, constraints, test };
  const own = validators[0]?.target as (new () => Validator) | undefined;
  if (!own || !constraints.every((one) => isInert(one))) return undefined;
  const reference = calledByReference(builtin, new own(), { constraints: declared.constraints });
  return { leaf: reference, constraints, test: reference.test(constraints)! };
}

interface Validator {
  validate(value: unknown, given: object): unknown;
}

/** Whether arguments have no state: no function, no stateful regular expression. */
function isInert(given: unknown, depth = 0): boolean {
  if (typeof given === 'function') return false;
  if (typeof given !== 'object' || given === null) return true;
  if (given instanceof RegExp) return !given.global && !given.sticky;
  return depth < 4 && Object.values(given).every((one) => isInert(one, depth + 1));
}
