import type { Finding } from '../../shapes/finding';

/** The response fault codes, and the reason for each. */
export const responseFaults = {
  'SLUICE-C201':
    'A route does not declare its response, or sends events: whatever its handler returns would be sent.',
  'SLUICE-C202': 'A wire class is not closed: fields that are not exposed would be sent.',
  'SLUICE-C203': 'The class of a property of a wire class depends on the value.',
  'SLUICE-C204': 'A Map in a wire class has no class for its entries: they would be sent unchanged.',
  'SLUICE-C205': 'A route has the option `ignoreDecorators`: every field of every class would be sent.',
  'SLUICE-C206':
    'A class extends a closed one and is not closed itself: class-transformer does not inherit a class-level `@Exclude()`.',
  'SLUICE-C207':
    'A property has a class with rules, and no `@Type`: a row in its place would be sent unchanged.',
  'SLUICE-C208': 'Two decorators of a route contradict each other about its response.',
  'SLUICE-C209': 'A route declares a schema in `@SerializeOptions`, which is not supported.',
  'SLUICE-C210':
    'A response selects a group that no rule of its class has: fields with groups are not sent, or the name is misspelled.',
} as const;

/** A key of {@link responseFaults}. */
export type ResponseFault = keyof typeof responseFaults;

/** A {@link Finding} about a route's response. */
export interface ResponseFinding extends Finding {
  readonly code: ResponseFault;
}
