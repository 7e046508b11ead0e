import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { endProcesses, run } from '../builds/processes';
import { dropInProgram } from './drop-in-program';
import { cache, install, installed } from './installed';
import { askProgram, writeProgram } from './stock-program';

const system = `${process.platform}-${process.arch}`;

/** The runtimes that are not Node, as packages with a binary. Deno's package names the C library; its preloaded modules are paths. */
const runtimes = {
  bun: {
    packages: [`@oven/bun-${system}@1.4.5`],
    binary: `@oven/bun-${system}/bin/bun`,
    options: [],
    registered: ['--preload', '@sluice/engine/register'],
  },
  deno: {
    packages: [`@deno/${system}${process.platform === 'linux' ? '-glibc' : ''}@2.9.6`],
    binary: `@deno/${system}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
    options: ['run', '--allow-all'],
    registered: ['--preload', '../node_modules/@sluice/engine/register.cjs'],
  },
} as const;

const libraries = [
  ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@12.5.1`),
  '@nestjs/platform-fastify@12.5.0',
  'class-validator@0.15.1',
  'class-transformer@0.5.1',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
];

const programs = (['cjs', 'esm'] as const).flatMap((format) =>
  (['fastify', 'express'] as const).map((adapter) => ({ format, adapter })),
);

describe.each(Object.entries(runtimes))(
  'the packed engine on %s',
  (_, { packages, binary, options, registered }) => {
    let folder = '';
    let node = '';

    beforeAll(async () => {
      const tarball = await packEngine(join(cache, 'packed-for-runtimes/engine'));
      folder = await installed([...libraries, ...packages]);
      await install(folder, [tarball]);
      node = join(folder, 'node_modules', binary);
    });
    afterAll(endProcesses);

    it.each(['cjs', 'esm'] as const)(
      'has functions that are compiled, and equal to the libraries, as %s',
      async (format) => {
        const program = join(folder, `${format}-drop-ins`);
        await writeProgram(program, format, '@nestjs/common');
        await writeFile(join(program, 'drop-ins.js'), dropInProgram[format]);
        const { output } = await run(node, [...options, 'drop-ins.js'], { cwd: program });
        expect(JSON.parse(output)).toEqual({
          input: 'code',
          output: 'generated',
          compared: 576,
          unequal: [],
        });
      },
    );

    it.each(programs)('gives the same responses on $adapter, as $format', async ({ format, adapter }) => {
      const launch = { adapter, node, options };
      const [before, after] = [join(folder, `${format}-before`), join(folder, `${format}-after`)];
      const written = join(folder, `${format}-written`);
      await writeProgram(written, format, 'the writer of replies');
      await writeProgram(before, format, '@nestjs/common');
      await writeProgram(after, format, '@sluice/engine/nest');
      const expected = await askProgram(before, launch);
      expect(expected.answers.length).toBeGreaterThanOrEqual(100);
      expect(await askProgram(after, launch)).toEqual(expected);
      expect(await askProgram(before, { ...launch, options: [...options, ...registered] })).toEqual(expected);
      expect(await askProgram(written, launch)).toEqual(expected);
    });
  },
);
