import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The size of what a program bundles, minified, without the peers. */
export interface Size {
  /** What the program imports, such as `validate`. */
  readonly name: string;
  readonly bytes: number;
  readonly compressed: number;
}

/** What a program imports, and the module that has it. */
const IMPORTS: Readonly<Record<string, readonly [what: string, module: string]>> = {
  'all of @sluice/engine': ['*', 'index.mjs'],
  validate: ['{ validate }', 'index.mjs'],
  plainToInstance: ['{ plainToInstance }', 'index.mjs'],
  instanceToPlain: ['{ instanceToPlain }', 'index.mjs'],
  'all of @sluice/engine/nest': ['*', 'nest.mjs'],
};

/**
 * Bundles what programs import from a package of the engine, by Rolldown and its minifier.
 *
 * @param folder of the package
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
