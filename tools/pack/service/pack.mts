import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textsIn } from '../../../scripts/read-descriptions.mts';
import { compile } from '../modules/compile.mts';
import { packFolder } from '../modules/pack.mts';
import { bundle } from './bundle.mts';
import { writeGuides } from './guides.mts';
import { manifestOf, subpaths, withoutHelpers } from './manifest.mts';

const root = join(import.meta.dirname, '../../..');

/**
 * Compiles the libs that a program runs on, bundles their modules, and packs them. Each source has its types.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export function packService(folder: string): Promise<string> {
  return packFolder({ directory: 'libs', files: ['tools/pack/service/README.md'], fill }, folder);
}

async function fill(folder: string): Promise<object> {
  const entries = Object.values(subpaths);
  const imported = await compile(
    {
      tsconfig: 'tools/pack/service/tsconfig.json',
      entries,
      ending: '.js',
      types: '.d.ts',
      without: withoutHelpers,
    },
    folder,
  );
  await writeFile(join(folder, 'descriptions.json'), JSON.stringify(await describe(folder)));
  await bundle(entries, folder);
  await writeGuides(folder);
  return manifestOf(imported);
}

/** Returns the TSDoc by module path, for the API reference of programs that use the package. Omits undocumented modules. */
async function describe(folder: string): Promise<Record<string, object>> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.js'));
  const described: Record<string, object> = {};
  for (const path of files.map((file) => file.slice(0, -'.js'.length)).toSorted()) {
    const texts = textsIn(await readFile(join(root, `${path}.ts`), 'utf8'));
    if (texts.size > 0) described[path] = Object.fromEntries(texts);
  }
  return described;
}
