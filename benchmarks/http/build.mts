import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundles the servers into a file each, like `nest build`, so that all servers start like built programs. Packages are external.
 *
 * @param folder the absolute folder in `benchmarks`
 * @param entries the entries relative to the folder, without extension
 * @returns the folder with a `.mjs` for each entry
 */
export async function buildServers(folder: string, entries: readonly string[]): Promise<string> {
  const outDir = join(root, 'dist', relative(root, folder));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^@app\/([^/]+)$/, replacement: join(root, 'libs/$1/src/index.ts') }] },
    oxc: {
      assumptions: { setPublicClassFields: true },
      decorator: { legacy: true, emitDecoratorMetadata: true },
      typescript: { removeClassFieldsWithoutInitializer: true },
    },
    build: {
      ssr: true,
      outDir: relative(root, outDir),
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [entry, join(folder, `${entry}.mts`)])),
        output: {
          // The libraries are CommonJS where `nest build` has written them.
          banner: 'const __dirname = import.meta.dirname;',
          entryFileNames: '[name].mjs',
          chunkFileNames: 'shared/[name]-[hash].mjs',
        },
      },
    },
  });
  return outDir;
}
