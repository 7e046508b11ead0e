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

/** Of this workspace, or of the package of the commands, which has the sources of the client too. */
const own = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Installed beside the package: its types are part of the client's. */
const dependency = 'openapi-fetch';

/** What a client is packed from. */
export interface ClientOrder {
  /** As in `nest-cli.json`. */
  readonly application: string;
  /** Of the package. */
  readonly name: string;
}

/**
 * Builds the package of a client and packs it: one module and its types, for browsers and for Node. It is typed by the
 * `openapi.json` of its application.
 *
 * @param folder for the package, which is emptied
 * @returns the path of its tarball, beside the folder
 */
export function packClient(order: ClientOrder, folder: string): Promise<string> {
  const directory = hasLibs ? 'libs/client' : undefined;
  // Its examples are of one application.
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
  const made = await rolldown({
    cwd: work,
    input: { index: join(work, 'src/index.ts') },
    platform: 'neutral',
    external: dependency,
    transform: { target: 'es2022' },
  });
  await made.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await made.close();
}

/** The types of every file, by the compiler; then as one file. */
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
  const made = await rolldown({
    cwd: work,
    input: { index: join(work, 'types/index.d.ts') },
    external: dependency,
    resolve: { extensions: ['.d.ts'] },
    plugins: dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
  });
  await made.write({ dir, format: 'esm', entryFileNames: '[name].d.ts' });
  await made.close();
}
