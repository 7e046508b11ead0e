import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { ManifestMissingError } from './errors';

/** Name and version of the product, from the root manifest. */
export interface Manifest {
  readonly name: string;
  /** Semantic version, such as `1.4.0`. */
  readonly version: string;
}

/**
 * Reads the manifest of the workspace: the nearest `package.json` above a folder. The workspace has only one, so it is
 * found from the sources and from the output of each of the three builders; and above `node_modules`, from the package.
 *
 * @param from an absolute path; default the folder of this file
 * @throws ManifestMissingError when there is none
 */
export function readManifest(from = __dirname): Manifest {
  const [start = from] = from.split(`${sep}node_modules${sep}`);
  for (let folder = start; ; folder = dirname(folder)) {
    const text = readIfExists(join(folder, 'package.json'));
    if (text !== undefined) {
      const { name, version }: Manifest = JSON.parse(text);
      return { name, version };
    }
    if (folder === dirname(folder)) throw new ManifestMissingError(from);
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
