import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import webpack from 'webpack';
import type { Certificate } from './probe';

/** The bundling options for a program, and its packages. */
export interface Recipe {
  readonly bundler: 'esbuild' | 'rolldown' | 'webpack';
  readonly format: 'cjs' | 'esm';
  /** The package entry that the bundler uses: CommonJS is `main`, modules are `module`. */
  readonly mainFields: readonly ('main' | 'module')[];
  /** Packages that replace packages: `class-validator` → `class-validator-0.14`. */
  readonly alias?: Readonly<Record<string, string>>;
}

const root = resolve(__dirname, '../../../../..');
const probe = join(root, 'libs/engine/testing/validation/certify/probe.ts');
const run = promisify(execFile);

/**
 * Bundles the probe and runs it.
 *
 * @param folder the folder for the program
 * @param cases the number of generated cases to compare
 */
export async function certificateOf(recipe: Recipe, folder: string, cases: number): Promise<Certificate> {
  const file = join(folder, `probe.${recipe.format === 'cjs' ? 'cjs' : 'mjs'}`);
  await BUNDLERS[recipe.bundler](recipe, file);
  const { stdout } = await run(process.execPath, [file, String(cases)], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as Certificate;
}

const BUNDLERS: Record<Recipe['bundler'], (recipe: Recipe, file: string) => Promise<unknown>> = {
  esbuild: ({ format, mainFields, alias = {} }, outfile) =>
    build({
      entryPoints: [probe],
      outfile,
      format,
      bundle: true,
      platform: 'node',
      mainFields: [...mainFields],
      alias,
      keepNames: true,
      tsconfig: join(root, 'tsconfig.json'),
      logLevel: 'error',
    }),
  rolldown: async ({ format, mainFields, alias = {} }, file) => {
    const bundle = await rolldown({
      input: probe,
      platform: 'node',
      resolve: { mainFields: [...mainFields], alias },
      tsconfig: join(root, 'tsconfig.json'),
    });
    await bundle.write({ file, format, keepNames: true });
  },
  webpack: bundleByWebpack,
};

function bundleByWebpack({ format, mainFields, alias = {} }: Recipe, file: string): Promise<unknown> {
  const isModule = format === 'esm';
  const aliases = Object.entries(alias).map(([name, target]) => ({
    name,
    alias: join(root, 'node_modules', target),
  }));
  const paths = { name: '@app/engine', alias: join(root, 'libs/engine/src/index.ts') };
  const options = JSON.parse(JSON.stringify(SWC)) as object;
  const compiler = webpack({
    mode: 'development',
    devtool: false,
    target: 'node',
    entry: probe,
    output: {
      path: join(file, '..'),
      filename: file.slice(file.lastIndexOf('/') + 1),
      ...(isModule && { module: true, chunkFormat: 'module', library: { type: 'module' } }),
    },
    experiments: { outputModule: isModule },
    resolve: { extensions: ['.ts', '.js'], mainFields: [...mainFields], alias: [paths, ...aliases] },
    module: { rules: [{ test: /\.ts$/, loader: 'swc-loader', options }] },
  });
  return new Promise((done, fail) => {
    compiler.run((error, stats) => {
      if (error ?? stats?.hasErrors()) fail(error ?? new Error(stats?.toString('errors-only')));
      else done(undefined);
    });
  });
}

const SWC = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};
