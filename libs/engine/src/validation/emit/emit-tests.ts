import {
  type Code,
  code,
  functionOf,
  joined,
  NOTHING,
  not,
  type Statements,
  when,
} from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import { eachIs } from '../built-in-rules/each';
import type { KnownRules, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { type ClassContext, FAILED } from './make-context';

/** Generates the tests that a property's rules run on its converted value. */
export function writeTests(
  { planned, transforms, isListed }: PropertyPlan,
  context: ClassContext,
): Statements {
  const { settings } = context;
  if (!isListed || !planned) return settings.whitelist ? FAILED : NOTHING;
  const isTransformed = transforms.length > 0;
  const tests = [
    ...planned.defined.map((rule) => writeTest(rule, context)),
    unlessSkipped(settings, code`final`, [
      ...planned.leaves.map((rule) => writeTest(rule, context)),
      writeNested(planned, isTransformed),
    ]),
  ];
  const all = unlessOptional(planned, code`final`, tests);
  // An object from a transform may be changed by the next one.
  const isObject = code`typeof final === 'object' && final !== null`;
  return isTransformed && all.source !== '' ? when(isObject, FAILED, all) : all;
}

/**
 * Generates the test for a nested instance, which is tested during its creation. `undefined` may be valid, and `null` is not an
 * instance.
 */
function writeNested({ isNested }: KnownRules, isTransformed: boolean): Code {
  if (!isNested) return NOTHING;
  const isNoInstance = code`typeof final !== 'object' ? final !== undefined : final === null`;
  return when(isTransformed ? code`final !== undefined` : isNoInstance, FAILED);
}

/**
 * Generates the test of a rule. A rule that throws is called again in class-validator's order, and throws there. A library
 * function takes longer than all other tests, so it is skipped once a test has failed.
 */
function writeTest(rule: PlannedRule, { scope, functions }: ClassContext): Code {
  const fails = not(writeHolds(rule, code`final`, scope, functions));
  const test = when(rule.how === 'called directly' ? code`!run.failed && ${fails}` : fails, FAILED);
  return rule.throws || rule.isEach ? code`try {\n${test}\n} catch {\n${FAILED}\n}` : test;
}

/**
 * Generates the test of a rule as an expression. For list elements, it appends a function to `functions`: a separate loop, into
 * which V8 inlines the test.
 */
export function writeHolds(
  { name, throws, emit, test, isEach }: PlannedRule,
  value: Code,
  scope: Scope,
  functions: Code[],
): Code {
  if (!isEach) return emit(value, scope);
  const testEach = scope.fresh(`each${name}`);
  const fails = not(emit(code`element`, scope));
  const any = code`${scope.hoist(eachIs)}(value, ${scope.hoist(test, `is${name}`)})`;
  functions.push(
    functionOf(
      testEach,
      code`(value) {
        if (!Array.isArray(value)) return ${any};
        let isValid = true;
        for (let at = 0; at < value.length; at++) {
          const element = value[at];
          if (element === undefined && !(at in value)) continue;
          ${when(fails, throws ? code`isValid = false;` : code`return false;`)}
        }
        return isValid;
      }`,
    ),
  );
  return code`${testEach}(${value})`;
}

/** Wraps tests so that they run unless `IsOptional` or `IfGiven` skips the value. */
export function unlessOptional(
  { isOptional, isIfGiven }: Pick<KnownRules, 'isOptional' | 'isIfGiven'>,
  value: Code,
  tests: readonly Code[],
): Code {
  return unless(value, { undefined: isOptional || isIfGiven, null: isOptional }, tests);
}

/** Wraps tests so that they run unless the options skip the value. */
export function unlessSkipped(
  { skipUndefined, skipNull, skipMissing }: Settings,
  value: Code,
  tests: readonly Code[],
): Code {
  return unless(value, { undefined: skipUndefined || skipMissing, null: skipNull || skipMissing }, tests);
}

/** Wraps tests so that they run unless the value is `undefined` or `null`, as far as each is skipped. */
function unless(
  value: Code,
  skips: { readonly undefined: boolean; readonly null: boolean },
  tests: readonly Code[],
): Code {
  const isSent = [
    ...(skips.undefined ? [code`${value} !== undefined`] : []),
    ...(skips.null ? [code`${value} !== null`] : []),
  ];
  const all = code`${tests}`;
  return isSent.length === 0 || all.source === '' ? all : when(joined(isSent, ' && '), all);
}
