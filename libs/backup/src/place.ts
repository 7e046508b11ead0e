import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Database } from '@app/persistence';

/** What a backup is made of, and restored to. */
export interface BackupPlace {
  readonly db: Database;
  /** The folder of uploaded files, which may not exist. */
  readonly uploads: string;
  /** The files that sign access tokens, which may not exist, by their names in a backup. */
  readonly keys: Readonly<Record<string, string>>;
}

/** The manifest of a backup. */
export interface BackupManifest {
  readonly format: 1;
  readonly dialect: Database['dialect'];
  /** ISO 8601: the store is as it was then. */
  readonly at: string;
}

/** The segments with what a backup may lack. */
export interface StreamStart {
  readonly id: string;
  /** The first of them. */
  readonly from: number;
  /** Those before it are applied as a whole: the backup may have some of their changes already, and then needs all. */
  readonly through: number;
}

/** The names of entries in the archive of a backup. */
export const entryNames = { store: 'store', uploads: 'uploads/', keys: 'keys/', wal: 'wal/' } as const;

/** The folder of uploaded files in a program without the plugin of uploads: other programs on the store may have it. */
export const defaultUploads = './data/uploads';

/** A folder on a disk that has room for the store: that of a SQLite file, or the temporary one. */
export function stagingOf({ dialect, place }: Database): string {
  return dialect === 'sqlite' ? dirname(place) : tmpdir();
}
