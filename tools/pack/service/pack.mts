import { compile } from '../modules/compile.mts';
import { packFolder } from '../modules/pack.mts';
import { manifestOf, subpaths, withoutHelpers } from './manifest.mts';

/**
 * Compiles the libs that a program runs on, each source to a module and its types, and packs them.
 *
 * @param folder for the package, which is emptied
 * @returns the path of its tarball, beside the folder
 */
export function packService(folder: string): Promise<string> {
  return packFolder({ directory: 'libs', files: ['tools/pack/service/README.md'], fill }, folder);
}

async function fill(folder: string): Promise<object> {
  const imported = await compile(
    {
      tsconfig: 'tools/pack/service/tsconfig.json',
      entries: Object.values(subpaths),
      ending: '.js',
      types: '.d.ts',
      without: withoutHelpers,
    },
    folder,
  );
  return manifestOf(imported);
}
