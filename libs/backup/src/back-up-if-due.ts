import type { BackupRetention, Backups, StoredBackup } from './backups';
import { backupChannels } from './channels';
import type { BackupPlace } from './place';

/** What scheduled backups follow. */
export interface BackupSchedule extends BackupRetention {
  /** From one backup to the next. */
  readonly everyMs: number;
}

/**
 * Makes a backup if the newest one is too old, and removes expired ones. What is due is seen by what is there, so that neither a
 * restart nor another program repeats or skips one.
 *
 * @returns the backup that was made; `undefined` if none was due
 */
export async function backUpIfDue(
  place: BackupPlace,
  backups: Backups,
  schedule: BackupSchedule,
  { now = new Date(), signal }: { readonly now?: Date; readonly signal?: AbortSignal } = {},
): Promise<StoredBackup | undefined> {
  const [newest] = await backups.list();
  if (newest) backupChannels.made.publish(newest.at);
  if (newest && now.getTime() - newest.at.getTime() < schedule.everyMs) return undefined;
  const made = await backups.add(place, { signal });
  backupChannels.made.publish(made.at);
  await backups.prune(now, schedule);
  return made;
}
