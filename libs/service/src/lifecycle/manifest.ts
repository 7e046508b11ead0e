import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ManifestMissingError } from './errors';

/** What the root manifest says the product is. */
export interface Manifest {
  readonly name: string;
  /** Semantic version, such as `1.4.0`. */
  readonly version: string;
}

/**
 * Reads the manifest of the workspace: the nearest `package.json` above a folder. There is one in the whole
 * workspace, so that this finds it from the sources and from what each of the three builders writes.
 *
 * @param from an absolute folder; this file's own, unless a test picks another
 * @throws ManifestMissingError when there is none up to the root of the disk
 */
export function readManifest(from = __dirname): Manifest {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = readIfThere(join(folder, 'package.json'));
    if (text !== undefined) {
      const { name, version }: Manifest = JSON.parse(text);
      return { name, version };
    }
    if (folder === dirname(folder)) throw new ManifestMissingError(from);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
