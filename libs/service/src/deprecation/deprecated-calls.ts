import { channel } from 'node:diagnostics_channel';

/** A request to a deprecated route. */
export interface DeprecatedCall {
  readonly method: string;
  readonly route: string;
  /** The account or API key, such as `account:7`; `anonymous` without a caller. */
  readonly caller: string;
}

/** The channel for requests to deprecated routes. */
export const deprecatedCalls = channel('sluice:service:deprecated');
