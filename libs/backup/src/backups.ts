import { addAbortSignal } from 'node:stream';
import type { Destination } from './destination';
import { openDestination } from './open-destination';
import type { Recipients } from './encryption';
import { type BackupOptions, makeBackup } from './make-backup';
import type { BackupPlace, StreamStart } from './place';
import { listSegments, readTime, timeIn } from './segments';

/** The target of backups. */
export interface BackupTarget {
  /** The destination, in the form of `BACKUP_TO`. */
  readonly to: string;
  readonly recipients: Recipients;
}

/** A backup in a destination. */
export interface StoredBackup {
  readonly name: string;
  /** The moment of the store's state. */
  readonly at: Date;
  /** The changes that follow it, if there are any. */
  readonly stream?: StreamStart;
}

/** The number and age of kept backups. */
export interface BackupRetention {
  /** The minimum number of backups to keep, whatever their age. */
  readonly keep: number;
  /** The minimum age until which backups are kept, whatever their number, in milliseconds; `undefined` keeps all backups. */
  readonly keepMs: number | undefined;
}

type AddOptions = Pick<BackupOptions, 'stored'> & { readonly signal?: AbortSignal };

const backupPrefix = 'backup-';

/** Opens a target's backups. */
export async function openBackups({ to, recipients }: BackupTarget): Promise<Backups> {
  return new Backups(await openDestination(to), recipients);
}

/** The backups of a store in a destination. */
export class Backups {
  constructor(
    readonly destination: Destination,
    readonly recipients: Recipients = [],
  ) {}

  /** Lists the backups, newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    const names = await this.destination.list(backupPrefix);
    return names.flatMap((name) => readName(name) ?? []).toReversed();
  }

  /** Adds a backup. @throws {BackupError} or any error of the destination, or if it is aborted; nothing was added then */
  async add(place: BackupPlace, options: AddOptions = {}): Promise<StoredBackup> {
    const { recipients } = this;
    const { signal } = options;
    let added: StoredBackup | undefined;
    await makeBackup(place, { ...options, recipients }, async (archive, at, stream) => {
      added = { name: nameOf(at, stream, recipients.length > 0), at, stream };
      await this.destination.write(added.name, signal ? addAbortSignal(signal, archive) : archive);
    });
    if (!added) throw new TypeError('a backup that was made was delivered');
    return added;
  }

  /** Removes backups that are both too many and too old, but never the newest backup. @returns their names */
  async prune(now: Date, { keep, keepMs }: BackupRetention): Promise<readonly string[]> {
    if (keepMs === undefined) return [];
    const removable = (await this.list()).slice(Math.max(keep, 1));
    const expired = removable
      .filter(({ at }) => now.getTime() - at.getTime() > keepMs)
      .map(({ name }) => name);
    for (const name of expired) await this.destination.remove(name);
    await this.pruneSegments();
    return expired;
  }

  /**
   * Removes segments that no backup needs. It keeps the last segment, which shows where the next program continues. It also
   * keeps the segments in a stream that awaits its first backup.
   */
  private async pruneSegments(): Promise<void> {
    const streams = (await this.list()).flatMap(({ stream }) => stream ?? []);
    const segments = await listSegments(this.destination);
    const last = segments.at(-1);
    const isBegun = streams.some(({ id }) => id === last?.stream);
    for (const { name, stream, number } of segments.slice(0, -1)) {
      const isNeeded = streams.some(({ id, from }) => id === stream && from <= number);
      if (!isNeeded && (stream !== last?.stream || isBegun)) await this.destination.remove(name);
    }
  }
}

/** Returns a file name without colons, because some file systems refuse colons in names. */
function nameOf(at: Date, stream: StreamStart | undefined, isEncrypted: boolean): string {
  const followed = stream ? `_${stream.id}_${stream.from}-${stream.through}` : '';
  return `${backupPrefix}${timeIn(at)}${followed}.tar.gz${isEncrypted ? '.age' : ''}`;
}

const nameForm = /^backup-([\dT.-]{23}Z)(?:_([\dT.-]{23}Z)_(\d+)-(\d+))?\.tar\.gz(?:\.age)?$/;

/** Reads a file name. It returns `undefined` for foreign files in the same folder. */
function readName(name: string): StoredBackup | undefined {
  const [, at, id, from, through] = nameForm.exec(name) ?? [];
  if (at === undefined) return undefined;
  const stream = id === undefined ? undefined : { id, from: Number(from), through: Number(through) };
  return { name, at: readTime(at), stream };
}
