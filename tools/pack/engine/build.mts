import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OutputOptions, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { licensesOf } from '../modules/licenses.mts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** The package's entries, and their sources. */
const entries = {
  index: 'libs/engine/src/drop-in',
  nest: 'libs/engine/src/nest',
};

/** The module that `register.cjs` loads, for programs in either format. */
const required = { 'use-engine': 'libs/engine/src/nest/use-engine.bootstrap' };

/** The libraries that each entry needs. A CommonJS entry reports a missing library. */
const libraries = ['class-validator', 'class-transformer'];
const peersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['index', libraries],
  ['nest', ['@nestjs/common', ...libraries]],
]);

/** The command, which is separate from the entries so that a program that imports the package does not load it. */
const command = {
  'switch-command': 'tools/switch/command',
  'switch-classes': 'tools/switch/classes-process',
};

/** The packages that users install: the libraries, and Nest for `./nest`. */
const peers = /^(class-validator|class-transformer|@nestjs\/)/;

/** A set of files that is bundled separately, so that an entry loads only the modules that it needs. */
interface Bundle {
  readonly ending: 'mjs' | 'cjs';
  readonly files: Readonly<Record<string, string>>;
  /** Whether each part is a separate file, so that a bundler can drop unused parts. */
  readonly hasParts?: boolean;
}

const bundles: readonly Bundle[] = [
  { ending: 'mjs', files: entries, hasParts: true },
  { ending: 'cjs', files: { ...entries, ...required } },
  { ending: 'cjs', files: command },
];

/** The parts of the ES modules. Each part excludes code that only other parts need. */
const parts = [
  { name: 'serialization', test: /engine\/src\/serialization\/|engine\/src\/functions\/instance-to-plain/ },
  {
    name: 'validation',
    test: /engine\/src\/(validation\/|functions\/(validation|plain-to))/,
  },
  { name: 'transformer', test: /engine\/src\/functions\/transformer/ },
  { name: 'shapes', test: /engine\/src\/shapes\/|engine\/src\/functions\/(with-methods|first-calls)/ },
];

/**
 * Bundles the package for `import` and for `require`, and writes the types for both. Source maps are put beside the folder.
 *
 * @param folder the folder for the files: `index.mjs`, `index.cjs`, `index.d.mts`, `index.d.cts` and so on
 * @param work the folder for the types of single files; the caller deletes it
 */
export async function buildEngine(folder: string, work: string): Promise<void> {
  await declareAll(work);
  for (const ending of ['mts', 'cts'] as const) await bundleTypes(work, folder, ending);
  for (const bundle of bundles) await write(bundle, folder);
  await moveMaps(folder, mapsOf(folder));
}

/** Returns the folder for a package's source maps. They are as large as the rest of the package, and are not installed. */
export function mapsOf(folder: string): string {
  return `${folder}.maps`;
}

async function moveMaps(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const maps = (await readdir(from)).filter((file) => file.endsWith('.map'));
  for (const file of maps) await rename(join(from, file), join(to, file));
}

/**
 * Writes a bundle's files. An entry holds only its exports, because the libraries' own indices also export parts that need Nest.
 * The files stay readable. Functions and variables keep their names, and source maps lead to the sources.
 */
async function write({ ending, files, hasParts = false }: Bundle, dir: string): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: sources(files, (path) => `${path}.ts`),
    platform: 'node',
    // `reflect-metadata` is the program's own, and is not part of the package.
    external: [peers, 'reflect-metadata'],
    tsconfig: join(root, 'tsconfig.json'),
    treeshake: { moduleSideEffects: false },
    ...(hasParts && { preserveEntrySignatures: 'allow-extension' }),
    transform: { target: 'es2022' },
  });
  const { output } = await build.write({
    dir,
    format: ending === 'mjs' ? 'esm' : 'cjs',
    sourcemap: 'hidden',
    exports: 'named',
    strict: true,
    // The annotations let a bundler drop unused code.
    comments: { legal: false, jsdoc: false, annotation: true },
    minifyInternalExports: true,
    minify: {
      compress: { target: 'es2022', keepNames: { function: true, class: true } },
      mangle: false,
      codegen: { removeWhitespace: false },
    },
    ...(hasParts && { codeSplitting: { includeDependenciesRecursively: false, groups: parts } }),
    ...(ending === 'cjs' && { intro: ({ name }) => requiredPeers(name) }),
    ...namesWith(ending),
  });
  await build.close();
  const licenses = await licensesOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  if (licenses !== '') await writeFile(join(dir, 'licenses.txt'), licenses);
}

/** Returns the lines that require the peers. An ES module has no such line, because its imports are resolved before it runs. */
function requiredPeers(entry: string): string {
  const names = peersOf.get(entry) ?? [];
  return names.map((name) => `require("./peers.cjs").load("${name}", () => require("${name}"));`).join('\n');
}

/** Writes the types of every file with the compiler. The type bundler alone would need gigabytes for this step. */
async function declareAll(outDir: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const project = ['-p', 'tools/pack/engine/tsconfig.types.json', '--outDir', outDir];
  await run(process.execPath, [tsc, ...project], { cwd: root });
}

async function bundleTypes(cwd: string, dir: string, ending: 'mts' | 'cts'): Promise<void> {
  const build = await rolldown({
    cwd,
    input: sources(entries, (path) => join(cwd, `${path}.d.ts`)),
    platform: 'node',
    external: peers,
    resolve: { alias: { '@app': join(cwd, 'libs') }, extensions: ['/src/index.d.ts', '.d.ts'] },
    plugins: dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
  });
  await build.write({ dir, format: 'esm', ...namesWith(`d.${ending}`) });
  await build.close();
}

function sources(
  inputs: Readonly<Record<string, string>>,
  place: (path: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, path]) => [name, place(path)]));
}

function namesWith(ending: string): OutputOptions {
  return {
    entryFileNames: `[name].${ending}`,
    chunkFileNames: ({ name, moduleIds }) =>
      `${ending === 'mjs' && parts.some((part) => part.name === name) ? name : nameOfShared(moduleIds)}.${ending}`,
  };
}

/** Names a shared chunk by its content. */
function nameOfShared(moduleIds: readonly string[]): string {
  if (moduleIds.length === 0) return 'runtime';
  return moduleIds.some((id) => /\.(pipe|interceptor)\./.test(id)) ? 'engine-nest' : 'engine';
}
