import { channel } from 'node:diagnostics_channel';

/** A response that does not match the OpenAPI document. */
export interface UndescribedResponse {
  readonly method: string;
  readonly route: string;
}

/** The channel for responses that do not match the OpenAPI document. */
export const undescribedResponses = channel('sluice:service:undescribed');
