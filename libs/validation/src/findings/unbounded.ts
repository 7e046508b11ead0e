/** What of a member decides whether it is bounded: the names of its rules, and the type that TypeScript noted. */
export interface MemberRules {
  readonly noted: unknown;
  /** Rules that look at the value as a whole. */
  readonly loose: readonly string[];
  /** Rules that look at each element of a list. */
  readonly perElement: readonly string[];
}

/** Rules of class-validator that a number of any size can pass. */
const numberRules = new Set(['isInt', 'isNumber', 'isDivisibleBy']);
const lowerBounds = new Set(['min', 'isPositive']);
const upperBounds = new Set(['max', 'isNegative']);

/** Whether a member is a list of as many elements as the body has bytes for. */
export function isUnboundedList({ noted, loose, perElement }: MemberRules): boolean {
  const isList = noted === Array || loose.includes('isArray') || perElement.length > 0;
  return isList && !loose.includes('arrayMaxSize');
}

/** Whether a member is a number, or a list of numbers, of any size: also one that no store can hold, such as 1e300. */
export function isUnboundedNumber({ loose, perElement }: MemberRules): boolean {
  return isUnbounded(loose) || isUnbounded(perElement);
}

/** A rule of an application's own, and one that lists the values, is taken at its word. */
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
