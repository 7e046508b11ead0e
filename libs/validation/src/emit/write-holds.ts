import { type Code, code, functionOf, type Scope } from '@app/shapes';
import type { PlannedRule } from '../plan/plan';
import { eachIs } from './each';

/**
 * The test of a rule as an expression. That of the elements of a list is a function, appended to `functions`: a loop of
 * its own, into which V8 inlines the test.
 */
export function writeHolds(
  { leaf, constraints, test, isEach }: PlannedRule,
  value: Code,
  scope: Scope,
  functions: Code[],
): Code {
  if (!isEach) return leaf.emit(value, scope, constraints, test);
  const any = code`${scope.hoist(eachIs, 'eachIs')}(value, ${scope.hoist(test, `is${leaf.name}`)})`;
  const name = scope.fresh(`each${leaf.name}`);
  const holds = leaf.emit(code`element`, scope, constraints, test);
  const isLast = leaf.throws ? code`isValid = false` : code`return false`;
  functions.push(
    functionOf(
      name,
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
  return code`${name}(${value})`;
}
