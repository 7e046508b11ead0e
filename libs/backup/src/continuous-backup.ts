import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BackupError, WalBrokenError, WalFollower, type WalPart, type WalPosition } from '@app/persistence';
import { type ArchiveEntry, writeArchive } from './archive';
import type { BackupSchedule } from './back-up-if-due';
import type { Backups, StoredBackup } from './backups';
import { backupChannels } from './channels';
import { fileEntry, keyEntries } from './make-backup';
import { type BackupPlace, entryNames } from './place';
import { listSegments, type Segment, segmentName, timeIn } from './segments';
import { ignoreMissing, listUploads } from './staging';

/** The bytes that may wait to be sent. Above this limit reading pauses, and further changes stay in the WAL. */
const maxPendingBytes = 32 * 1024 * 1024;
/** The bytes that may stay unread. Above this limit the WAL is released, and a new backup is made once it can be sent. */
const maxUnreadBytes = 128 * 1024 * 1024;
/** The bytes from which changes are sent at once. */
const dueBytes = 8 * 1024 * 1024;
/** The overlap between files and segments. A file that is older than the last segment by this time is already in a segment. */
const overlapMs = 10 * 60_000;

/** A sequence of segments while it is written. */
interface Stream {
  readonly id: string;
  readonly follower: WalFollower;
  /** The number of the next segment. */
  next: number;
  last: WalPosition;
  pending: WalPart[];
  /** The uploaded files that are in a segment or a backup. */
  readonly sent: Set<string>;
}

/**
 * Copies each change in a SQLite store to the destination, with new uploaded files and keys, so that it can be restored to any
 * second. Each sequence begins with a full backup. It continues after a restart, however the program ended.
 */
export class ContinuousBackup {
  private stream: Stream | undefined;
  private keys = '';
  private reading: Promise<unknown> = Promise.resolve();
  private sending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly place: BackupPlace,
    private readonly backups: Backups,
    private readonly schedule: BackupSchedule,
  ) {}

  /**
   * Reads the changes that were committed. Call it each second.
   *
   * @param isForced also reads while many bytes wait to be sent
   * @returns whether this program makes the continuous backup, instead of a different program
   * @throws any error, after which the next call begins again
   */
  read(isForced = false): Promise<boolean> {
    const reading = this.reading.then(() => this.readNext(isForced));
    this.reading = reading.catch(() => undefined);
    return reading;
  }

  /** Whether so many bytes were read that they are sent at once. */
  get isDue(): boolean {
    return sizeOf(this.stream?.pending ?? []) > dueBytes;
  }

  /** Sends the changes that were read, and new files. The next call sends whatever could not be sent. */
  send(): Promise<void> {
    const sending = this.sending.then(() => this.sendNext());
    this.sending = sending.catch(() => undefined);
    return sending;
  }

  /**
   * Makes a backup if the sequence lacks a backup or its newest backup is too old. Also removes expired backups.
   *
   * @returns the backup that was made
   */
  async backUpIfDue(signal?: AbortSignal): Promise<StoredBackup | undefined> {
    const { stream } = this;
    if (!stream) return undefined;
    const now = new Date();
    const stored = await this.backups.list();
    const newest = stored.find((backup) => backup.stream?.id === stream.id);
    if (newest) backupChannels.made.publish(newest.at);
    if (newest && now.getTime() - newest.at.getTime() < this.schedule.everyMs) return undefined;
    const from = stream.next;
    const added = await this.backups.add(this.place, {
      signal,
      // The backup is not there before all changes that it has are: without some of them, those before would undo it.
      stored: async () => {
        await this.read(true);
        await this.send();
        if (this.stream !== stream) throw new WalBrokenError();
        return { id: stream.id, from, through: stream.next };
      },
    });
    backupChannels.made.publish(added.at);
    await this.backups.prune(now, this.schedule);
    return added;
  }

  /** Ends the sequence. The next {@link read} continues it, if no change is missed until then. */
  end(): void {
    this.stream?.follower.close();
    this.stream = undefined;
  }

  private async readNext(isForced: boolean): Promise<boolean> {
    try {
      this.stream ??= await this.begin();
      const { stream } = this;
      if (!stream) return false;
      if (sizeOf(stream.pending) <= maxPendingBytes || isForced)
        stream.pending.push(...(await stream.follower.read()));
      else if (stream.follower.unread > maxUnreadBytes)
        throw new BackupError(
          'the destination takes no changes, or too slowly: a new backup is made when it does',
        );
      return true;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  private async sendNext(): Promise<void> {
    const { stream } = this;
    if (!stream) return;
    const now = new Date();
    const parts = [...stream.pending];
    // After the changes were read: the files of their rows are there.
    const uploads = (await listUploads(this.place.uploads)).filter((name) => !stream.sent.has(name));
    const keys = await this.hashKeys();
    if (parts.length > 0 || uploads.length > 0 || keys !== this.keys) {
      const { position, at } = parts.at(-1) ?? { position: stream.last, at: now };
      const { recipients, destination } = this.backups;
      const segment = { stream: stream.id, number: stream.next, at, position };
      const archive = writeArchive(this.entriesOf(parts, uploads), { format: 1 }, recipients);
      await destination.write(segmentName(segment, recipients.length > 0), archive);
      stream.pending.splice(0, parts.length);
      await stream.follower.noteSent(position);
      Object.assign(stream, { next: stream.next + 1, last: position });
      for (const name of uploads) stream.sent.add(name);
      this.keys = keys;
    }
    backupChannels.covered.publish(parts.at(-1)?.at ?? now);
  }

  private async begin(): Promise<Stream | undefined> {
    const { db, uploads } = this.place;
    let last: Segment | undefined;
    const follower = await WalFollower.open(db, async () => {
      last = (await listSegments(this.backups.destination)).at(-1);
      return last?.position;
    });
    if (!follower) return undefined;
    await mkdir(uploads, { recursive: true, mode: 0o700 });
    if (!last || !follower.isResumed) {
      const position = { frame: 0, checksum: '0'.repeat(16) };
      // The backup that begins it has all files.
      const sent = new Set(await listUploads(uploads));
      return { id: timeIn(new Date()), follower, next: 0, last: position, pending: [], sent };
    }
    const sent = await olderUploads(uploads, last.at.getTime() - overlapMs);
    return { id: last.stream, follower, next: last.number + 1, last: last.position, pending: [], sent };
  }

  private async *entriesOf(
    parts: readonly WalPart[],
    uploads: readonly string[],
  ): AsyncGenerator<ArchiveEntry> {
    for (const name of uploads) yield* fileEntry(entryNames.uploads + name, join(this.place.uploads, name));
    yield* keyEntries(this.place.keys);
    for (const { at, frames } of parts)
      yield {
        name: entryNames.wal + at.getTime(),
        bytes: frames.length,
        open: () => Readable.from([frames]),
      };
  }

  private async hashKeys(): Promise<string> {
    const hash = createHash('sha256');
    for (const path of Object.values(this.place.keys))
      hash.update((await readFile(path).catch(ignoreMissing)) ?? '');
    return hash.digest('hex');
  }
}

function sizeOf(parts: readonly WalPart[]): number {
  return parts.reduce((sum, { frames }) => sum + frames.length, 0);
}

async function olderUploads(folder: string, time: number): Promise<Set<string>> {
  const sent = new Set<string>();
  for (const name of await listUploads(folder)) {
    const stats = await stat(join(folder, name)).catch(ignoreMissing);
    if (stats && stats.mtimeMs < time) sent.add(name);
  }
  return sent;
}
