import { channel } from 'node:diagnostics_channel';

/** The load of the hashing queue. */
export interface HashingLoad {
  readonly waiting: number;
  readonly running: number;
}

/** The diagnostics channels for password hashing. They publish only while somebody subscribes. */
export const hashingChannels = {
  /** A {@link HashingLoad}, at each change. */
  load: channel('sluice:auth:hashing-load'),
  /** The waiting time of a job before it began, in milliseconds. */
  wait: channel('sluice:auth:hashing-wait'),
};
