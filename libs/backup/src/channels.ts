import { channel } from 'node:diagnostics_channel';

/** What backups publish while somebody subscribes. */
export const backupChannels = {
  /** A program begins to make backups, as a {@link ScheduledTo}. */
  scheduled: channel('sluice:backup:scheduled'),
  /** The moment of the newest backup, as a `Date`. */
  made: channel('sluice:backup:made'),
  /** Everything that was committed before this `Date` is in the destination, by continuous backups. */
  covered: channel('sluice:backup:covered'),
  /** A backup that failed, as its message. */
  failed: channel('sluice:backup:failed'),
};

/** Where a program makes backups. */
export interface ScheduledTo {
  /** `BACKUP_TO`. */
  readonly to: string;
  /** `BACKUP_CONTINUOUS`. */
  readonly isContinuous: boolean;
}
