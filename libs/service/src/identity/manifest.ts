import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import { ManifestMissingError } from './errors';

const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** The product's name and version from the root manifest. The version is semantic, such as `1.4.0`. */
export type Manifest = Readonly<z.output<typeof manifestSchema>>;

/**
 * Reads the workspace manifest, which is the nearest `package.json` above a folder. The workspace has a single manifest, so it
 * is found from the sources and from all three builders' output. Above `node_modules`, the package's own manifest is found.
 *
 * @param from an absolute path; default: the folder that contains this file
 * @throws ManifestMissingError if there is no manifest
 */
export function readManifest(from = __dirname): Manifest {
  const [start = from] = from.split(`${sep}node_modules${sep}`);
  for (let folder = start; ; folder = dirname(folder)) {
    const text = readIfExists(join(folder, 'package.json'));
    if (text !== undefined) {
      return manifestSchema.parse(JSON.parse(text));
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
