import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packEngine } from '../pack/engine/pack.mts';

const root = join(import.meta.dirname, '../..');

/** The output folder, which is inside the workspace so that the libraries are found. */
const folder = join(root, 'node_modules/.cache/fuzzed/engine');

/** The way to load the package. */
export type PackageFormat = 'import' | 'require';

/** Packs the engine for {@link usePacked}; once, before the workers start. */
export async function packForFuzzing(): Promise<void> {
  await packEngine(folder);
}

const sources = pathToFileURL(join(root, 'libs/engine/src/')).href;

/** The source files that the comparisons import, and the text that is loaded in their place. */
const replacements: Readonly<Record<string, string>> = {
  'validation/validators/compile-validator': `export { compileValidator } from 'packed';`,
  'validation/validators/standard-schema': `export { standardSchema } from 'packed';`,
  'validation/validators/drop-in': `export { plainToInstance, validate, validateOrReject, validateSync } from 'packed';`,
  'serialization/run/compile-serializer': `import { compileSerializer } from 'packed';
export { compileSerializer };
export const serializerOf = (type, options) => compileSerializer(type, options);`,
  'serialization/run/instance-to-plain': `import { instanceToPlain } from 'packed';
export { instanceToPlain };
export const makeInstanceToPlain = () => instanceToPlain;`,
};

/**
 * Makes the comparisons in this thread call the packed files that {@link packForFuzzing} built. Parts that the package does not
 * export are compared as source.
 */
export function usePacked(format: PackageFormat): void {
  process.env['SLUICE_COMPILE_AFTER'] = '0';
  const packed = pathToFileURL(join(folder, format === 'import' ? 'index.mjs' : 'index.cjs')).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.includes('/testing/') || !specifier.startsWith('.'))
        return next(specifier, context);
      const source = new URL(specifier, context.parentURL).href.replace(sources, '').replace(/\.ts$/, '');
      const replacement = replacements[source];
      if (replacement === undefined) return next(specifier, context);
      const text = replacement.replaceAll("'packed'", JSON.stringify(packed));
      return { url: `data:text/javascript,${encodeURIComponent(text)}`, shortCircuit: true };
    },
  });
}
