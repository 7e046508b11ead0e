import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { packFolder } from '../modules/pack.mts';
import workspace from '../../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Installed beside the package: its types are part of the client's. */
const dependency = 'openapi-fetch';

/** The `package.json` of the client, for browsers and for Node. */
export const manifest = {
  name: '@sluice/client',
  version: workspace.version,
  description: 'A typed client of the api of Sluice, for browsers and for Node.',
  license: workspace.license,
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
  types: './index.d.ts',
  dependencies: { [dependency]: workspace.dependencies[dependency] },
} as const;

/**
 * Builds the package of the client and packs it: one module and its types.
 *
 * @param folder for the package, which is emptied
 * @returns the path of its tarball, beside the folder
 */
export function packClient(folder: string): Promise<string> {
  return packFolder({ directory: 'libs/client', files: ['tools/pack/client/README.md'], fill }, folder);
}

async function fill(folder: string): Promise<object> {
  await bundle(folder);
  await bundleTypes(folder);
  return manifest;
}

async function bundle(dir: string): Promise<void> {
  const made = await rolldown({
    cwd: root,
    input: { index: 'libs/client/src/index.ts' },
    platform: 'neutral',
    external: dependency,
    transform: { target: 'es2022' },
  });
  await made.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await made.close();
}

/** The types of every file, by the compiler; then as one file. */
async function bundleTypes(dir: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    await run(process.execPath, [tsc, '-p', 'tools/pack/client/tsconfig.types.json', '--outDir', work], {
      cwd: root,
    });
    const made = await rolldown({
      cwd: work,
      input: { index: join(work, 'libs/client/src/index.d.ts') },
      external: dependency,
      resolve: { extensions: ['.d.ts'] },
      plugins: dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
    });
    await made.write({ dir, format: 'esm', entryFileNames: '[name].d.ts' });
    await made.close();
  } finally {
    await rm(work, { recursive: true });
  }
}
