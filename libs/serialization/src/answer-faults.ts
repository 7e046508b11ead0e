import type { Finding } from '@app/shapes';

/** The codes of what can be wrong with what a route sends, and why each is no matter of taste. */
export const answerFaults = {
  'SLUICE-C201':
    'A route does not say what it answers, or sends events: whatever its handler returns would leave.',
  'SLUICE-C202': 'A class on the wire is not closed: a field that nobody exposed would leave.',
  'SLUICE-C203': 'A part of a class on the wire does not tell its class before there is a value.',
  'SLUICE-C204': 'A Map on the wire does not tell the class of its entries: they would leave whole.',
  'SLUICE-C205': 'A route asks for `ignoreDecorators`: every field of every class would leave.',
  'SLUICE-C206':
    'A class extends a closed one and is not closed itself: class-transformer does not inherit the word on the class.',
  'SLUICE-C207': 'A part has a class with rules, and no `@Type`: a row in its place would leave whole.',
  'SLUICE-C208': 'Two decorators of one route do not say the same about its answer.',
  'SLUICE-C209': 'A route answers by a schema in `@SerializeOptions`, which nobody obeys.',
  'SLUICE-C210':
    'An answer names a group that no rule of its class knows: what has groups is left out, or the group is misspelled.',
} as const;

/** One of {@link answerFaults}. */
export type AnswerFault = keyof typeof answerFaults;

/** A {@link Finding} about the answers of a route. */
export interface AnswerFinding extends Finding {
  readonly code: AnswerFault;
}
