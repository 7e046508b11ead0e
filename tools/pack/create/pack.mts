import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packFolder } from '../modules/pack.mts';
import { license, version } from '../modules/versions.mts';
import { manifest, template } from './workspace.mts';

/**
 * Packs the command that creates a workspace, with the workspace files.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export function packCreate(folder: string): Promise<string> {
  const files = ['README.md', 'create-sluice.cjs'].map((name) => `tools/pack/create/${name}`);
  return packFolder({ directory: 'tools/pack/create', files: [...files, 'scripts/npm.cjs'], fill }, folder);
}

async function fill(folder: string): Promise<object> {
  await cp(template, join(folder, 'template'), { recursive: true });
  await writeFile(join(folder, 'workspace.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return {
    name: 'create-sluice',
    version,
    description: 'Creates a workspace on @sluice/service.',
    license,
    author: 'The Sluice authors',
    publishConfig: { access: 'public', provenance: true },
    type: 'commonjs',
    engines: { node: '>=18.19' },
    bin: { 'create-sluice': 'create-sluice.cjs' },
  };
}
