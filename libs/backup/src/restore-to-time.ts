import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { applyFrames, BackupError } from '@app/persistence';
import { readArchive } from './archive';
import type { Backups, StoredBackup } from './backups';
import type { Identities } from './encryption';
import { type BackupPlace, entryNames } from './place';
import { pathOf, restoreBackup, type Unpacked } from './restore-backup';
import { listSegments, type Segment } from './segments';
import { writeSynced } from './write-synced';

/**
 * Restores the store to a moment, from the newest backup before it and the changes that follow.
 *
 * @param to default the last change
 * @returns the moment of the last restored change
 * @throws {BackupError} if there is no backup before it, or a segment is missing; everything is unchanged then
 */
export async function restoreToTime(
  place: BackupPlace,
  backups: Backups,
  identities: Identities,
  to = endOfTime,
): Promise<Date> {
  const { destination } = backups;
  const segments = (await listSegments(destination)).filter(({ at }) => at <= to);
  const [best] = (await backups.list())
    .filter(({ at }) => at <= to)
    .map((backup) => ({ backup, end: endOf(backup, segments) }))
    .toSorted((a, b) => b.end.getTime() - a.end.getTime());
  if (!best) throw new BackupError(`there is no backup before ${to.toISOString()} in ${destination.place}`);
  const { at, name, stream } = best.backup;
  let restoredTo = at;
  await restoreBackup(place, await destination.read(name), identities, async (unpacked) => {
    if (!stream) return;
    const following = (await listSegments(destination, stream.id)).filter(
      ({ number }) => number >= stream.from,
    );
    for (const [index, { name: segment, number }] of following.entries()) {
      if (number !== stream.from + index)
        throw new BackupError(
          `segment ${stream.from + index} of ${stream.id} is missing: restore to a moment before ${restoredTo.toISOString()}`,
        );
      const until = number < stream.through ? endOfTime : to;
      const { applied, isEnd } = await applySegment(
        await destination.read(segment),
        identities,
        unpacked,
        until,
      );
      if (applied && applied > restoredTo) restoredTo = applied;
      if (isEnd) return;
    }
  });
  return restoredTo;
}

const endOfTime = new Date(8.64e15);

/** Returns the latest moment to which a backup can be restored, with the changes that follow it. */
function endOf({ at, stream }: StoredBackup, segments: readonly Segment[]): Date {
  const last = segments.findLast((segment) => segment.stream === stream?.id);
  return last && last.at > at ? last.at : at;
}

/** Applies a segment up to `to`. @returns the moment of the last applied change, and whether a change after `to` was left out */
async function applySegment(
  archive: Readable,
  identities: Identities,
  unpacked: Unpacked,
  to: Date,
): Promise<{ readonly applied?: Date; readonly isEnd: boolean }> {
  let applied: Date | undefined;
  let isEnd = false;
  await readArchive(archive, identities, async (name, content) => {
    if (!name.startsWith(entryNames.wal)) return writeSynced(pathOf(name, unpacked), content);
    const frames = await buffer(content);
    const at = new Date(Number(name.slice(entryNames.wal.length)));
    isEnd ||= at > to;
    if (isEnd) return undefined;
    await applyFrames(join(unpacked.folder, entryNames.store), frames);
    applied = at;
    return undefined;
  });
  return { applied, isEnd };
}
