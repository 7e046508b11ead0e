import { channel } from 'node:diagnostics_channel';

/** How full the queue of password hashing is. */
export interface HashingLoad {
  readonly waiting: number;
  readonly running: number;
}

/** What password hashing publishes while somebody subscribes. */
export const hashingChannels = {
  /** A {@link HashingLoad}, at each change. */
  load: channel('sluice:auth:hashing-load'),
  /** How long a job has waited before it began, in milliseconds. */
  wait: channel('sluice:auth:hashing-wait'),
};
