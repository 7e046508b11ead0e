import { type BuiltInRule, ruleOfKey } from '@app/engine';

/** The properties that determine whether a member is bounded: its rule names, and its type in the compiler's metadata. */
export interface MemberRules {
  readonly noted: unknown;
  /** The rules for the value as a whole. */
  readonly loose: readonly string[];
  /** The rules for each list element. */
  readonly perElement: readonly string[];
}

/** Whether a member is a list of any length. */
export function isUnboundedList({ noted, loose, perElement }: MemberRules): boolean {
  const isList = noted === Array || loose.includes('isArray') || perElement.length > 0;
  return isList && !loose.some((name) => isBound(name, 'list', 'upper'));
}

/** Returns whether a member is an unbounded number or number list. It could then exceed every store's range, such as 1e300. */
export function isUnboundedNumber({ loose, perElement }: MemberRules): boolean {
  return isUnbounded(loose) || isUnbounded(perElement);
}

/** Returns whether the rules allow a number of any size. Custom rules, and rules that list the valid values, count as bounds. */
function isUnbounded(names: readonly string[]): boolean {
  const rules = names.map(ruleOfKey);
  const isNumber = rules.some((rule) => rule?.takes === 'number');
  const isBounded = (['lower', 'upper'] as const).every((bound) =>
    names.some((name) => isBound(name, 'number', bound)),
  );
  return isNumber && !isBounded && rules.every(hasAnySize);
}

/** Whether a rule is about numbers or about presence. */
function hasAnySize(rule: BuiltInRule | undefined): boolean {
  return rule?.takes === 'number' || (rule?.isOpen === true && rule.takes === undefined);
}

function isBound(name: string, kind: 'number' | 'list', bound: 'lower' | 'upper'): boolean {
  const rule = ruleOfKey(name);
  return rule?.takes === kind && rule.bounds?.includes(bound) === true;
}
