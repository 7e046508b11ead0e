import { join } from 'node:path';
import { packCli } from './cli/pack.mts';
import { packCreate } from './create/pack.mts';
import { packEngine } from './engine/pack.mts';
import { packService } from './service/pack.mts';

/** Each package that others install, in the order in which one needs the other. */
const packages = { engine: packEngine, service: packService, cli: packCli, create: packCreate };

/**
 * Packs every package that others install.
 *
 * @param folder gets a folder for each, and their tarballs beside these
 * @returns the paths of the tarballs
 */
export async function packAll(folder: string): Promise<readonly string[]> {
  const tarballs: string[] = [];
  for (const [name, pack] of Object.entries(packages)) tarballs.push(await pack(join(folder, name)));
  return tarballs;
}
