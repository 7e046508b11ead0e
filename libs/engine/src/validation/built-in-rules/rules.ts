import { unlessThrown } from '../../shapes/values';
import type { ValueRule } from '../../shapes/rules/rule-shape';
import { choiceTests } from './choices';
import { lengthTests } from './lengths';
import { listTests } from './lists';
import { momentTests } from './moments';
import { numberTests } from './numbers';
import { patternTests } from './patterns';
import { presenceTests } from './presence';
import {
  type ByName,
  calledTest,
  type CompiledTest,
  compileRule,
  isStateless,
  referenceTest,
  type RuleTest,
} from './rule';
import { typeTests } from './types';

/** The tests of the rules that are not left to the library's validators. */
export const ruleTests: ByName<RuleTest> = {
  ...presenceTests,
  ...typeTests,
  ...choiceTests,
  ...numberTests,
  ...lengthTests,
  ...listTests,
  ...patternTests,
  ...momentTests,
};

/**
 * Returns the compiled test for a declared rule, or `undefined` if the rule is user code, has state, or has arguments that
 * throw.
 */
export function compileTest(rule: ValueRule): CompiledTest | undefined {
  return unlessThrown(() => testOf(rule));
}

function testOf({ builtin, ownTest, declared, validators }: ValueRule): CompiledTest | undefined {
  if (ownTest) return calledTest(declared.name ?? 'ownRule', ownTest);
  if (builtin === undefined) return undefined;
  const constraints = (declared.constraints as readonly unknown[] | undefined) ?? [];
  const compiled = compileRule(builtin, ruleTests[builtin] ?? {}, constraints);
  if (compiled) return compiled;
  const own = validators[0]?.target as (new () => Validator) | undefined;
  if (!own || !isStateless(constraints)) return undefined;
  return referenceTest(builtin, new own(), { constraints: declared.constraints });
}

interface Validator {
  validate(value: unknown, args: object): unknown;
}
