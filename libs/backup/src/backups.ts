import { addAbortSignal } from 'node:stream';
import type { Destination } from './destination';
import { openDestination } from './open-destination';
import type { Recipients } from './encryption';
import { type BackupOptions, makeBackup } from './make-backup';
import type { BackupPlace, StreamStart } from './place';
import { listSegments, readTime, timeIn } from './segments';

/** Where backups go. */
export interface BackupTarget {
  /** As in `BACKUP_TO`. */
  readonly to: string;
  readonly recipients: Recipients;
}

/** A backup in a destination. */
export interface StoredBackup {
  readonly name: string;
  /** The store is as it was then. */
  readonly at: Date;
  /** The changes that follow it, if there are any. */
  readonly stream?: StreamStart;
}

/** How many backups are kept. */
export interface BackupRetention {
  /** At least so many, whatever their age. */
  readonly keep: number;
  /** At least so long, whatever their number, in milliseconds; `undefined` for ever. */
  readonly keepMs: number | undefined;
}

type AddOptions = Pick<BackupOptions, 'stored'> & { readonly signal?: AbortSignal };

const backupPrefix = 'backup-';

/** The backups of a target. */
export async function openBackups({ to, recipients }: BackupTarget): Promise<Backups> {
  return new Backups(await openDestination(to), recipients);
}

/** The backups of one store in one destination. */
export class Backups {
  constructor(
    readonly destination: Destination,
    readonly recipients: Recipients = [],
  ) {}

  /** Newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    const names = await this.destination.list(backupPrefix);
    return names.flatMap((name) => readName(name) ?? []).toReversed();
  }

  /** @throws {BackupError} or any error of the destination, or if it is aborted; nothing was added then */
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

  /** Removes backups that are both too many and too old; never the newest. @returns their names */
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
   * Those that no backup needs; but not the last one, which says where the next program goes on, nor those of a stream whose first
   * backup is not complete.
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

/** A colon is not allowed in every name. */
function nameOf(at: Date, stream: StreamStart | undefined, isEncrypted: boolean): string {
  const followed = stream ? `_${stream.id}_${stream.from}-${stream.through}` : '';
  return `${backupPrefix}${timeIn(at)}${followed}.tar.gz${isEncrypted ? '.age' : ''}`;
}

const nameForm = /^backup-([\dT.-]{23}Z)(?:_([\dT.-]{23}Z)_(\d+)-(\d+))?\.tar\.gz(?:\.age)?$/;

/** Other files may lie in the same folder. */
function readName(name: string): StoredBackup | undefined {
  const [, at, id, from, through] = nameForm.exec(name) ?? [];
  if (at === undefined) return undefined;
  const stream = id === undefined ? undefined : { id, from: Number(from), through: Number(through) };
  return { name, at: readTime(at), stream };
}
