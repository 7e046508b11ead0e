import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Database } from '@app/persistence';

/** The parts that a backup includes, and that a restore replaces. */
export interface BackupPlace {
  readonly db: Database;
  /** The folder for uploaded files, which may not exist. */
  readonly uploads: string;
  /** The files that sign access tokens, by their names in a backup. They may not exist. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A backup's manifest. */
export interface BackupManifest {
  readonly format: 1;
  readonly dialect: Database['dialect'];
  /** The moment of the store's state, in ISO 8601. */
  readonly at: string;
}

/** The segments that contain the changes after a backup. */
export interface StreamStart {
  readonly id: string;
  /** The number of the first segment. */
  readonly from: number;
  /** The first segment after the backup. The backup may have a part of the earlier segments, so they are applied completely. */
  readonly through: number;
}

/** The entry names in a backup archive. */
export const entryNames = { store: 'store', uploads: 'uploads/', keys: 'keys/', wal: 'wal/' } as const;

/** The uploads folder for a program without the uploads plugin, because other programs on the store may have the plugin. */
export const defaultUploads = './data/uploads';

/** Returns a folder on a disk that has room for the store: a SQLite file's folder, or the temporary folder. */
export function stagingOf({ dialect, place }: Database): string {
  return dialect === 'sqlite' ? dirname(place) : tmpdir();
}
