import { type Code, code, functionOf, joined } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { PlannedRule } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { eachIs } from '../built-in-rules/each';

/**
 * The test of a rule as an expression. That of the elements of a list is a function, appended to `functions`: a loop of
 * its own, into which V8 inlines the test.
 */
export function writeHolds(
  { name, throws, emit, test, isEach }: PlannedRule,
  value: Code,
  scope: Scope,
  functions: Code[],
): Code {
  if (!isEach) return emit(value, scope);
  const any = code`${scope.hoist(eachIs, 'eachIs')}(value, ${scope.hoist(test, `is${name}`)})`;
  const each = scope.fresh(`each${name}`);
  const holds = emit(code`element`, scope);
  const isLast = throws ? code`isValid = false` : code`return false`;
  functions.push(
    functionOf(
      each,
      code`(value) {
  if (!Array.isArray(value)) return ${any};
  let isValid = true;
  for (let at = 0; at < value.length; at++) {
    const element = value[at];
    if ((element !== undefined || at in value) && !(${holds})) ${isLast};
  }
  return isValid;
}`,
    ),
  );
  return code`${each}(${value})`;
}

/** Tests that run unless `IsOptional` or `IfGiven` skips the value. */
export function unlessOptional(
  { isOptional, isIfGiven }: { readonly isOptional: boolean; readonly isIfGiven: boolean },
  value: Code,
  tests: readonly Code[],
): readonly Code[] {
  if (isOptional) return [code`  if (${value} !== undefined && ${value} !== null) {\n${tests}\n  }`];
  return isIfGiven ? [code`  if (${value} !== undefined) {\n${tests}\n  }`] : tests;
}

/** Tests that run unless the options skip the value. */
export function unlessSkipped(
  { skipUndefined, skipNull, skipMissing }: Settings,
  value: Code,
  tests: readonly Code[],
): readonly Code[] {
  const given = [
    ...(skipUndefined || skipMissing ? [code`${value} !== undefined`] : []),
    ...(skipNull || skipMissing ? [code`${value} !== null`] : []),
  ];
  if (given.length === 0 || tests.length === 0) return tests;
  return [code`  if (${joined(given, ' && ')}) {\n${tests}\n  }`];
}
