import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packEngine } from '../pack/engine/pack.mts';

const root = join(import.meta.dirname, '../..');

/** In the workspace, so that the libraries are found. */
const folder = join(root, 'node_modules/.cache/fuzzed/engine');

/** How the package is loaded. */
export type PackageFormat = 'import' | 'require';

/** Packs the engine for {@link usePacked}; once, before the workers start. */
export async function packForFuzzing(): Promise<void> {
  await packEngine(folder);
}

/** What the comparisons import of the sources, and what is loaded in its place. */
const replaced: readonly (readonly [source: RegExp, text: string])[] = [
  [/validation\/src\/compile-validator(\.ts)?$/, `export { compileValidator } from 'packed';`],
  [/validation\/src\/standard-schema(\.ts)?$/, `export { standardSchema } from 'packed';`],
  [
    /validation\/src\/drop-in(\.ts)?$/,
    `export { plainToInstance, validate, validateOrReject, validateSync } from 'packed';`,
  ],
  [
    /serialization\/src\/compile-serializer(\.ts)?$/,
    `import { compileSerializer } from 'packed';
export { compileSerializer };
export const serializerOf = (type, options) => compileSerializer(type, options);`,
  ],
  [
    /serialization\/src\/instance-to-plain(\.ts)?$/,
    `import { instanceToPlain } from 'packed';
export { instanceToPlain };
export const makeInstanceToPlain = () => instanceToPlain;`,
  ],
];

/**
 * Makes the comparisons of this thread call the packed files, which were built by {@link packForFuzzing}. What the package
 * does not export is compared as source.
 */
export function usePacked(format: PackageFormat): void {
  const packed = pathToFileURL(join(folder, format === 'import' ? 'index.mjs' : 'index.cjs')).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.includes('/testing/') || !specifier.startsWith('.'))
        return next(specifier, context);
      const wanted = new URL(specifier, context.parentURL).pathname;
      const found = replaced.find(([source]) => source.test(wanted));
      if (!found) return next(specifier, context);
      const text = found[1].replaceAll("'packed'", JSON.stringify(packed));
      return { url: `data:text/javascript,${encodeURIComponent(text)}`, shortCircuit: true };
    },
  });
}
