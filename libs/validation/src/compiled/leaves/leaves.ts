import type { LeafRule } from '@app/shapes';

/** Says whether a value is valid; the same value always gets the same answer. */
export type Predicate = (value: unknown) => boolean;

/** What was proven equal to a rule, or `undefined` where the library itself is called. */
export function predicateOf(_rule: LeafRule): Predicate | undefined {
  return undefined;
}
