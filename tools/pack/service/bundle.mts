import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bundles the modules of a package in place. Writes a module for each entry, and chunks with shared code, each named for its
 * lib, so that each class exists once. A comment above each source contains its path.
 *
 * @param entries the entries relative to the package, without their endings
 * @param folder the package folder; the bundled modules are deleted
 */
export async function bundle(entries: readonly string[], folder: string): Promise<void> {
  const build = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, `./${entry}.js`])),
    platform: 'node',
    external: /^(?![./])/,
    // Commands import modules that a program loads with the first backup.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    keepNames: true,
    comments: { jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: ({ moduleIds }) => `libs/${libOf(moduleIds)}-[hash].js`,
  });
  await build.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.js'));
  for (const path of paths.filter((file) => !written.has(file))) await rm(join(folder, path));
}

function libOf(moduleIds: readonly string[]): string {
  return /.*\/libs\/([^/]+)\//.exec(moduleIds.at(-1) ?? '')?.[1] ?? 'runtime';
}
