import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles the modules of a package in place: a module for each entry, and chunks of what several of them have, so that there is one
 * of each class. Above each source a comment has its path.
 *
 * @param entries relative to the package, without their endings
 * @param folder  of the package; modules that are in a bundle are deleted
 */
export async function bundle(entries: readonly string[], folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries.map((entry) => `${entry}.js`),
    outbase: '.',
    outdir: '.',
    allowOverwrite: true,
    chunkNames: 'libs/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    keepNames: true,
    metafile: true,
    logLevel: 'error',
    tsconfigRaw: {},
  });
  const bundled = Object.keys(metafile.inputs).filter((path) => !Object.hasOwn(metafile.outputs, path));
  for (const path of bundled) await rm(join(folder, path));
}
