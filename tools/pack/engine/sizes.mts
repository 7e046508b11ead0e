import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The minified size that a program bundles, without the peers. */
export interface Size {
  /** The import, such as `validate`. */
  readonly name: string;
  readonly bytes: number;
  readonly compressed: number;
}

/** The imports of a program, with the module for each import. */
const IMPORTS: Readonly<Record<string, readonly [what: string, module: string]>> = {
  'all of @sluice/engine': ['*', 'index.mjs'],
  validate: ['{ validate }', 'index.mjs'],
  plainToInstance: ['{ plainToInstance }', 'index.mjs'],
  instanceToPlain: ['{ instanceToPlain }', 'index.mjs'],
  'all of @sluice/engine/nest': ['*', 'nest.mjs'],
};

/**
 * Bundles the imports of programs from an engine package with Rolldown and its minifier.
 *
 * @param folder the package folder
 */
export async function sizesOf(folder: string): Promise<Size[]> {
  return Promise.all(
    Object.entries(IMPORTS).map(async ([name, [what, module]]) => {
      const code = await bundle(`export ${what} from ${JSON.stringify(join(folder, module))};`);
      return { name, bytes: Buffer.byteLength(code), compressed: gzipSync(code).length };
    }),
  );
}

async function bundle(text: string): Promise<string> {
  const entry = '\0entry';
  const build = await rolldown({
    input: entry,
    platform: 'node',
    external: /^(?:class-validator|class-transformer|reflect-metadata|@nestjs\/)/,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? text : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
}
