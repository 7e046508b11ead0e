import { channel } from 'node:diagnostics_channel';

/** The cause of each request or connection that is refused to protect the program: the name of an error class, or a kind. */
export const refusals = channel('sluice:service:refused');

/** Statuses of such refusals: too slow, too large, too many, unavailable. */
const statuses = new Set([408, 413, 429, 503]);

/** Publishes a refusal, while somebody subscribes. */
export function publishRefusal(cause: string): void {
  if (refusals.hasSubscribers) refusals.publish(cause);
}

/** Publishes the refusal of a request by an error; other errors are none. */
export function publishRefusalBy(error: unknown, status: number): void {
  if (statuses.has(status) && error instanceof Error) publishRefusal(error.name);
}
