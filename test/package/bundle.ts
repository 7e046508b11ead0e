import { join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import webpack from 'webpack';

/** What bundles a program into one file, with the entry `main` of each package. */
export const bundlers = ['esbuild', 'rolldown', 'webpack'] as const;

type Bundler = (typeof bundlers)[number];

/** @returns the file in the folder */
export async function bundleAs(bundler: Bundler, entry: string, folder: string): Promise<string> {
  await bundle[bundler](entry, folder);
  return join(folder, 'bundle.cjs');
}

const mainFields = ['main', 'module'];

const bundle: Record<Bundler, (entry: string, folder: string) => Promise<unknown>> = {
  esbuild: (entry, folder) =>
    build({
      entryPoints: [entry],
      outfile: join(folder, 'bundle.cjs'),
      bundle: true,
      platform: 'node',
      mainFields,
    }),
  rolldown: async (entry, folder) => {
    const made = await rolldown({ input: entry, platform: 'node', resolve: { mainFields } });
    await made.write({ file: join(folder, 'bundle.cjs'), format: 'cjs' });
    await made.close();
  },
  webpack: (entry, folder) =>
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
