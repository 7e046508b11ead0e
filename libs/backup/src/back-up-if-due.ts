import type { BackupRetention, Backups, StoredBackup } from './backups';
import { backupChannels } from './channels';
import type { BackupPlace } from './place';

/** The schedule and retention of backups. */
export interface BackupSchedule extends BackupRetention {
  /** The time between two backups. */
  readonly everyMs: number;
}

/**
 * Makes a backup if the newest backup is too old, and removes expired backups. It decides by the stored backups alone, so that
 * neither a restart nor a second program repeats or skips a backup.
 *
 * @returns the new backup; `undefined` if the newest backup is recent enough
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
  const backup = await backups.add(place, { signal });
  backupChannels.made.publish(backup.at);
  await backups.prune(now, schedule);
  return backup;
}
