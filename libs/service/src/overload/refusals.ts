import { channel } from 'node:diagnostics_channel';

/** The channel for the causes (error class names or kinds) of requests and connections refused to protect the program. */
export const refusals = channel('sluice:service:refused');

/** The statuses of refusals: too slow, too large, too many, unavailable. */
const statuses = new Set([408, 413, 429, 503]);

/** Publishes a refusal while the channel has subscribers. */
export function publishRefusal(cause: string): void {
  if (refusals.hasSubscribers) refusals.publish(cause);
}

/** Publishes the refusal of a request if the error's status counts as a refusal. */
export function publishRefusalBy(error: unknown, status: number): void {
  if (statuses.has(status) && error instanceof Error) publishRefusal(error.name);
}
