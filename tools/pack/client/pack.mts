import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { clientTypes } from '../../../scripts/client-types.mts';
import { hasLibs, root } from '../../../scripts/workspace.mts';
import { packFolder } from '../modules/pack.mts';

/** The root folder: this workspace, or the commands package, which also contains the client sources. */
const own = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** The dependency that is installed beside the package, because its types are part of the client's types. */
const dependency = 'openapi-fetch';

/** The input for packing a client. */
export interface ClientOrder {
  /** The application name as in `nest-cli.json`. */
  readonly application: string;
  /** The package name. */
  readonly name: string;
}

/**
 * Builds the package for a client and packs it: a single module and its types, for browsers and for Node. The application's
 * `openapi.json` provides the types.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export function packClient(order: ClientOrder, folder: string): Promise<string> {
  const directory = hasLibs ? 'libs/client' : undefined;
  // The examples belong to a single application.
  const files = order.name === '@sluice/client' ? ['tools/pack/client/README.md'] : [];
  return packFolder({ directory, files, fill: (to) => fill(order, to) }, folder);
}

async function fill(order: ClientOrder, folder: string): Promise<object> {
  // Where the packages that it is compiled with are found.
  const work = join(root, 'dist/client');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  try {
    await cp(join(own, 'libs/client/src'), join(work, 'src'), { recursive: true });
    const document = await readFile(join(root, 'apps', order.application, 'openapi.json'), 'utf8');
    for (const [name, text] of Object.entries(await clientTypes(document, order.application)))
      await writeFile(join(work, 'src', name), text);
    await bundle(work, folder);
    await bundleTypes(work, folder);
  } finally {
    await rm(work, { recursive: true });
  }
  return manifestOf(order);
}

async function manifestOf({ application, name }: ClientOrder): Promise<object> {
  const { version, license } = await readManifest(root);
  const { dependencies } = await readManifest(own);
  return {
    name,
    version,
    description: `A typed client of ${application}, for browsers and for Node.`,
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    dependencies: { [dependency]: dependencies[dependency] },
  };
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

async function readManifest(folder: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return manifest;
}

async function bundle(work: string, dir: string): Promise<void> {
  const build = await rolldown({
    cwd: work,
    input: { index: join(work, 'src/index.ts') },
    platform: 'neutral',
    external: dependency,
    transform: { target: 'es2022' },
  });
  await build.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await build.close();
}

/** Compiles the types of every file and bundles them into a single file. */
async function bundleTypes(work: string, dir: string): Promise<void> {
  const options = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    noCheck: true,
    rootDir: 'src',
    outDir: 'types',
  };
  await writeFile(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['src/index.ts'] }),
  );
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', '.'], { cwd: work });
  const build = await rolldown({
    cwd: work,
    input: { index: join(work, 'types/index.d.ts') },
    external: dependency,
    resolve: { extensions: ['.d.ts'] },
    plugins: dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
  });
  await build.write({ dir, format: 'esm', entryFileNames: '[name].d.ts' });
  await build.close();
}
