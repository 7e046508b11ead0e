import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder } from '../modules/pack.mts';
import { buildEngine } from './build.mts';
import { manifest } from './manifest.mts';

/**
 * Builds the package and packs it.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export function packEngine(folder: string): Promise<string> {
  return packFolder({ directory: 'libs/engine', files, fill }, folder);
}

/** The files that are copied instead of bundled. */
const files = [
  'README.md',
  'CHANGELOG.md',
  'peers.cjs',
  'register.cjs',
  'register.d.cts',
  'command.cjs',
  'classes.cjs',
].map((name) => `tools/pack/engine/${name}`);

async function fill(folder: string): Promise<object> {
  const work = await mkdtemp(join(tmpdir(), 'engine-types-'));
  try {
    await buildEngine(folder, work);
  } finally {
    await rm(work, { recursive: true });
  }
  return manifest;
}
