import { join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { build as buildByVite } from 'vite';
import webpack from 'webpack';

/** The bundlers that bundle a program into a single file. */
export const bundlers = ['esbuild', 'rolldown', 'vite', 'webpack'] as const;

type Bundler = (typeof bundlers)[number];

/**
 * Bundles a program into a file in the folder.
 *
 * @param mainFields the package entries, the preferred entry first
 * @returns the bundled file
 */
export async function bundleAs(
  bundler: Bundler,
  entry: string,
  folder: string,
  mainFields = ['main', 'module'],
): Promise<string> {
  await bundle[bundler](entry, folder, mainFields);
  return join(folder, 'bundle.cjs');
}

type Bundle = (entry: string, folder: string, mainFields: string[]) => Promise<unknown>;

const bundle: Record<Bundler, Bundle> = {
  esbuild: (entry, folder, mainFields) =>
    build({
      entryPoints: [entry],
      outfile: join(folder, 'bundle.cjs'),
      bundle: true,
      platform: 'node',
      mainFields,
    }),
  rolldown: async (entry, folder, mainFields) => {
    const bundled = await rolldown({ input: entry, platform: 'node', resolve: { mainFields } });
    await bundled.write({ file: join(folder, 'bundle.cjs'), format: 'cjs' });
    await bundled.close();
  },
  vite: (entry, outDir, mainFields) =>
    buildByVite({
      configFile: false,
      logLevel: 'error',
      resolve: { mainFields },
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir,
        rolldownOptions: { output: { format: 'cjs', entryFileNames: 'bundle.cjs' } },
      },
    }),
  webpack: (entry, folder, mainFields) =>
    new Promise((done, fail) => {
      const output = { path: folder, filename: 'bundle.cjs' };
      const options = {
        mode: 'production',
        devtool: false,
        target: 'node',
        resolve: { mainFields },
      } as const;
      webpack({ ...options, entry, output }).run((error, stats) => {
        if (error ?? stats?.hasErrors()) fail(error ?? new Error(stats?.toString('errors-only')));
        else done(undefined);
      });
    }),
};
