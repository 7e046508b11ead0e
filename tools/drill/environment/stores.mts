import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasLibs } from '../../../scripts/workspace.mts';
import { Lacking } from '../callers/contract.mts';
import { descendantsOf } from '../programs/processes.mts';
import { onSmallDisk, pathOnDisk } from './small-disk.mts';

/** The databases on which drills run. */
export const storeNames = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];

/** The database for a drill. */
export interface DrillStore {
  readonly name: StoreName;
  /** The URL as in `DATABASE_URL`. */
  readonly url: string;
  /** Returns a PostgreSQL server's processes. The first process accepts connections. */
  readonly processes: () => readonly number[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts a new PostgreSQL server, or names a file in `folder` for SQLite.
 *
 * @param disk the size of a separate disk
 * @throws Lacking in a workspace that has the libs as a package
 */
export async function openStore(name: StoreName, folder: string, disk?: string): Promise<DrillStore> {
  if (name === 'sqlite')
    return { name, url: `sqlite:${join(folder, 'drill.db')}`, processes: () => [], stop: async () => {} };
  if (!hasLibs)
    throw new Lacking('a PostgreSQL server, which it starts in the workspace of the libraries only');
  const { startPostgres } = await import('@app/persistence/testing');
  const launcher = disk === undefined ? [] : [...onSmallDisk(folder, disk), 'env', `TMPDIR=${folder}`];
  const server = await startPostgres({ isRestarted: true, launcher });
  const processes = () => descendantsOf(server.supervisorPid ?? 0);
  return { name, url: server.url, processes, stop: () => server.stop() };
}

/** Fills the small disk of the process `pid` to its last byte. Returns a function that empties the disk again. */
export function fillDisk(pid: number, folder: string): () => void {
  const file = join(pathOnDisk(pid, folder), 'filler');
  for (const size of [1 << 20, 1 << 12, 1]) appendUntilFull(file, Buffer.alloc(size));
  return () => rmSync(file);
}

function appendUntilFull(file: string, block: Buffer): void {
  for (;;) {
    try {
      writeFileSync(file, block, { flag: 'a' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
