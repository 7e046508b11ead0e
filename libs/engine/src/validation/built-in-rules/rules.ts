import type { ValueRule } from '../../shapes/rules/rule-shape';
import { choiceRules } from './choices';
import { lengthRules } from './lengths';
import { listRules } from './lists';
import { momentRules } from './moments';
import { numberRules } from './numbers';
import { patternRules } from './patterns';
import { presenceRules } from './presence';
import { type BuiltInRule, calledTest, type CompiledTest, isStateless, referenceTest } from './rule';
import { typeRules } from './types';

/** Every known class-validator rule. */
export const builtInRules: readonly BuiltInRule[] = [
  ...presenceRules,
  ...typeRules,
  ...choiceRules,
  ...numberRules,
  ...lengthRules,
  ...listRules,
  ...patternRules,
  ...momentRules,
];

const byName = new Map(builtInRules.map((one) => [one.name, one]));
const byKey = new Map(builtInRules.map((one) => [one.key, one]));

/** @param name the decorator's name, such as `MinLength` */
export function builtInRule(name: string | undefined): BuiltInRule | undefined {
  return byName.get(name ?? '');
}

/** Returns the rule for a message key, such as `minLength`. A custom rule may have the same key as a similar rule. */
export function ruleOfKey(key: string): BuiltInRule | undefined {
  return byKey.get(key);
}

/**
 * Returns the compiled test for a declared rule, or `undefined` if the rule is user code, has state, or has arguments that
 * throw.
 */
export function compileTest(rule: ValueRule): CompiledTest | undefined {
  try {
    return testOf(rule);
  } catch {
    return undefined;
  }
}

function testOf({ builtin, ownTest, declared, validators }: ValueRule): CompiledTest | undefined {
  if (ownTest) return calledTest(declared.name ?? 'ownRule', ownTest);
  if (builtin === undefined) return undefined;
  const constraints = (declared.constraints as readonly unknown[] | undefined) ?? [];
  const known = builtInRule(builtin)?.compile(constraints);
  if (known) return known;
  const own = validators[0]?.target as (new () => Validator) | undefined;
  if (!own || !isStateless(constraints)) return undefined;
  return referenceTest(builtin, new own(), { constraints: declared.constraints });
}

interface Validator {
  validate(value: unknown, given: object): unknown;
}
