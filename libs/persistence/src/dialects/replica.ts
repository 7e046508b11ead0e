import { type StoreUnavailableError } from '../../../errors';

/** What a replica can be used for now. */
export interface ReplicaHealth {
  /** Anything but `ok`: lists are read from the primary. */
  readonly state: 'ok' | 'lagging' | 'unavailable';
  /** Why it is not `ok`. */
  readonly error?: StoreUnavailableError;
  /** What it had not applied after the wait; absent if that is not known. */
  readonly lagBytes?: number;
}
