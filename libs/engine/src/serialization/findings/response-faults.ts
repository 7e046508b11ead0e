import type { Finding } from '../../shapes/finding';

/** The response fault codes, and the reason for each. */
export const responseFaults = {
  'SLUICE-C201':
    'A route lacks a declared response, or sends events: every field that its handler returns would be sent.',
  'SLUICE-C202': 'A wire class is open: unexposed fields would be sent.',
  'SLUICE-C203': 'The class of a property of a wire class depends on the value.',
  'SLUICE-C204': 'A Map in a wire class lacks a class for its entries: they would be sent unchanged.',
  'SLUICE-C205': 'A route has the option `ignoreDecorators`: every field of every class would be sent.',
  'SLUICE-C206':
    'An open class extends a closed class: class-transformer does not inherit a class-level `@Exclude()`.',
  'SLUICE-C207':
    'A property has a class with rules, but lacks `@Type`: a row in its place would be sent unchanged.',
  'SLUICE-C208': 'Two decorators of a route contradict each other about its response.',
  'SLUICE-C209': 'A route declares a schema in `@SerializeOptions`, which is unsupported.',
  'SLUICE-C210':
    'A response selects a group that the rules of its class lack: fields with groups would be missing, or the name is misspelled.',
} as const;

/** A key of {@link responseFaults}. */
export type ResponseFault = keyof typeof responseFaults;

/** A {@link Finding} about a route's response. */
export interface ResponseFinding extends Finding {
  readonly code: ResponseFault;
}
