/** What determines whether a member is bounded: the names of its rules, and its type in the compiler's metadata. */
export interface MemberRules {
  readonly noted: unknown;
  /** Rules of the value as a whole. */
  readonly loose: readonly string[];
  /** Rules of each element of a list. */
  readonly perElement: readonly string[];
}

/** Rules of class-validator that accept a number of any size. */
const numberRules = new Set(['isInt', 'isNumber', 'isDivisibleBy']);
const lowerBounds = new Set(['min', 'isPositive']);
const upperBounds = new Set(['max', 'isNegative']);

/** Whether a member is a list of any length. */
export function isUnboundedList({ noted, loose, perElement }: MemberRules): boolean {
  const isList = noted === Array || loose.includes('isArray') || perElement.length > 0;
  return isList && !loose.includes('arrayMaxSize');
}

/** Whether a member is a number, or a list of numbers, of any size: also one that no store can store, such as 1e300. */
export function isUnboundedNumber({ loose, perElement }: MemberRules): boolean {
  return isUnbounded(loose) || isUnbounded(perElement);
}

/** Custom rules, and rules that list the valid values, are assumed to be bounds. */
function isUnbounded(rules: readonly string[]): boolean {
  const isNumber = rules.some((name) => numberRules.has(name) || isBound(name));
  const isBounded =
    rules.some((name) => lowerBounds.has(name)) && rules.some((name) => upperBounds.has(name));
  return isNumber && !isBounded && rules.every((name) => saysNoSize(name));
}

function saysNoSize(name: string): boolean {
  return numberRules.has(name) || isBound(name) || presence.has(name);
}

function isBound(name: string): boolean {
  return lowerBounds.has(name) || upperBounds.has(name);
}

const presence = new Set(['isDefined', 'isNotEmpty', 'notEquals', 'isNotIn']);
