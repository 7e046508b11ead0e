import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The entries of the package, and their sources. */
const entries = {
  index: 'libs/engine/src/index',
  nest: 'libs/engine/src/nest/entry',
};

/** An entry that needs nothing of the compiler: apart from the others, so that these stay small. */
const described = { openapi: 'libs/engine/src/nest/openapi/entry' };

/** `register.cjs` loads it, for programs of either format. */
const required = { 'use-engine': 'libs/engine/src/nest/use-engine' };

/** What each entry needs; an entry for CommonJS says so if it is not installed. */
const libraries = ['class-validator', 'class-transformer'];
const peersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['index', libraries],
  ['nest', ['@nestjs/common', ...libraries]],
  ['openapi', libraries],
]);

/** The command, apart from the entries: a program that imports the package loads nothing of it. */
const command = {
  'switch-command': 'libs/engine/src/switch/command',
  'switch-classes': 'libs/engine/src/switch/classes-process',
};

/** What its users install: the libraries, and Nest for `./nest`. */
const peers = /^(class-validator|class-transformer|@nestjs\/)/;

/**
 * Bundles the package for `import` and for `require`, with source maps, and writes the types of both.
 *
 * @param folder for the files: `index.mjs`, `index.cjs`, `index.d.mts`, `index.d.cts` and so on
 * @param work   for the types of single files; deleted by the caller
 */
export async function buildEngine(folder: string, work: string): Promise<void> {
  await bundle(folder, 'mjs', entries);
  await bundle(folder, 'mjs', described);
  await bundle(folder, 'cjs', described);
  await bundle(folder, 'cjs', { ...entries, ...required });
  await bundle(folder, 'cjs', command, 'switch-shared');
  await declareAll(work);
  await bundleTypes(work, folder, 'mts');
  await bundleTypes(work, folder, 'cts');
}

/** An entry holds what it exports, and nothing else: the libraries' own indices also export what needs Nest. */
async function bundle(
  dir: string,
  ending: 'mjs' | 'cjs',
  files: Readonly<Record<string, string>>,
  shared = 'shared',
): Promise<void> {
  const options: InputOptions = {
    cwd: root,
    input: sources(files, (path) => `${path}.ts`),
    platform: 'node',
    external: peers,
    tsconfig: join(root, 'tsconfig.json'),
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2022' },
  };
  const made = await rolldown(options);
  const format = ending === 'mjs' ? 'esm' : 'cjs';
  await made.write({
    dir,
    format,
    exports: 'named',
    sourcemap: true,
    comments: false,
    ...(ending === 'cjs' && { intro: ({ name }) => requiredPeers(name) }),
    ...namesWith(ending, shared),
  });
  await made.close();
}

/** An ES module has no such line: its imports are resolved before it runs. */
function requiredPeers(entry: string): string {
  const names = peersOf.get(entry) ?? [];
  return names.map((name) => `require("./peers.cjs").load("${name}", () => require("${name}"));`).join('\n');
}

/** The types of every file, by the compiler; the bundler of types alone takes gigabytes to make them. */
async function declareAll(outDir: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const project = ['-p', 'scripts/engine/tsconfig.types.json', '--outDir', outDir];
  await run(process.execPath, [tsc, ...project], { cwd: root });
}

async function bundleTypes(cwd: string, dir: string, ending: 'mts' | 'cts'): Promise<void> {
  const made = await rolldown({
    cwd,
    input: sources({ ...entries, ...described }, (path) => join(cwd, `${path}.d.ts`)),
    platform: 'node',
    external: peers,
    resolve: { alias: { '@app': join(cwd, 'libs') }, extensions: ['/src/index.d.ts', '.d.ts'] },
    plugins: dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
  });
  await made.write({ dir, format: 'esm', ...namesWith(`d.${ending}`) });
  await made.close();
}

function sources(
  given: Readonly<Record<string, string>>,
  place: (path: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, path]) => [name, place(path)]));
}

function namesWith(ending: string, shared = 'shared'): OutputOptions {
  return { entryFileNames: `[name].${ending}`, chunkFileNames: `${shared}.${ending}` };
}
