import { join } from 'node:path';
import { packCli } from './cli/pack.mts';
import { packCreate } from './create/pack.mts';
import { packEngine } from './engine/pack.mts';
import { packService } from './service/pack.mts';

/** The published packages in dependency order. */
const packages = { engine: packEngine, service: packService, cli: packCli, create: packCreate };

/**
 * Packs every published package.
 *
 * @param folder the folder that receives a folder for each package, and the tarballs beside these
 * @returns the tarball paths
 */
export async function packAll(folder: string): Promise<readonly string[]> {
  const tarballs: string[] = [];
  for (const [name, pack] of Object.entries(packages)) tarballs.push(await pack(join(folder, name)));
  return tarballs;
}
