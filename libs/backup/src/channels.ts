import { channel } from 'node:diagnostics_channel';

/** The channels on which backups publish while somebody subscribes. */
export const backupChannels = {
  /** Publishes a {@link ScheduledTo} when a program begins to make backups. */
  scheduled: channel('sluice:backup:scheduled'),
  /** The moment of the newest backup, as a `Date`. */
  made: channel('sluice:backup:made'),
  /** Publishes the `Date` before which every commit is in the destination, by continuous backups. */
  covered: channel('sluice:backup:covered'),
  /** Publishes the message of a backup that failed. */
  failed: channel('sluice:backup:failed'),
};

/** The place where a program makes backups. */
export interface ScheduledTo {
  /** The value of `BACKUP_TO`. */
  readonly to: string;
  /** The value of `BACKUP_CONTINUOUS`. */
  readonly isContinuous: boolean;
}
