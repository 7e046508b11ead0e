import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { endProcesses, run } from '../builds/processes';
import { cache, install, installed } from './installed';
import { askProgram, registered, writeProgram } from './stock-program';

/** A set of versions. Some Nest releases lack a Fastify adapter. */
interface Row {
  readonly nest: string;
  readonly fastify: string;
  /** `undefined` for the Node of the tests. */
  readonly node?: string;
  readonly validators: readonly string[];
}

const all = ['0.13.2', '0.14.4', '0.15.1'];

/** The last version of each line, and versions whose pipes report errors differently. */
const rows = (
  [
    { nest: '10.4.22', fastify: '10.4.22', node: '20.20.2', validators: all },
    { nest: '11.1.0', fastify: '11.1.0', node: '20.20.2', validators: ['0.15.1'] },
    { nest: '11.2.9', fastify: '11.2.8', validators: ['0.15.1'] },
    { nest: '11.2.10', fastify: '11.2.8', node: '20.20.2', validators: all },
    { nest: '12.3.2', fastify: '12.3.2', validators: ['0.15.1'] },
    { nest: '12.5.1', fastify: '12.5.0', validators: all },
  ] satisfies Row[]
).flatMap(({ validators, ...versions }: Row) =>
  validators.map((validator) => Object.assign({ validator }, versions)),
);

/** Prints whether a class is compiled, and whether the pipe returns an instance without a promise. */
const compiledProgram = `require('reflect-metadata');
const { explain, IsInt } = require('@sluice/engine');
const { ValidationPipe } = require('@sluice/engine/nest');
class Order {}
IsInt()(Order.prototype, 'count');
const { input, output } = explain(Order);
const pipe = new ValidationPipe({ transform: true });
const validate = () => pipe.validateParameter({ count: 1 }, { type: 'body', metatype: Order });
Promise.resolve(validate()).then(() => console.log(input.how, output.mode, validate() instanceof Order));
`;

/** Uses the types of the pipe and of the interceptor. */
const typedProgram = `import { ClassSerializerInterceptor, ValidationPipe, type ValidationPipeOptions } from '@sluice/engine/nest';
const options: ValidationPipeOptions = { transform: true };
export const pipe = new ValidationPipe(options);
export const interceptor = new ClassSerializerInterceptor(undefined, { groups: ['staff'] });
`;

const programs = (['cjs', 'esm'] as const).flatMap((format) =>
  (['fastify', 'express'] as const).map((adapter) => ({ format, adapter })),
);

/** The package with the Node of this platform. */
const nodePackage = `node-${process.platform}-${process.arch}`;

describe('the packed engine', () => {
  let tarball = '';
  beforeAll(async () => void (tarball = await packEngine(join(cache, 'packed/engine'))));
  afterAll(endProcesses);

  describe.each(rows)('with Nest $nest and class-validator $validator', (versions) => {
    let folder = '';
    let binary: string | undefined;

    beforeAll(async () => {
      folder = await installed(packagesOf(versions));
      binary = versions.node && join(folder, 'node_modules', nodePackage, 'bin/node');
      await install(folder, [tarball]);
    });

    it('is compiled', async () => {
      await writeFile(join(folder, 'compiled.cjs'), compiledProgram);
      const { output } = await run(binary ?? process.execPath, ['compiled.cjs'], { cwd: folder });
      expect(output).toBe('code generated true');
    });

    it('has types that compile, those of the libraries included', async () => {
      await writeFile(join(folder, 'typed.mts'), typedProgram);
      const tsc = join(__dirname, '../../node_modules/typescript-native/bin/tsc');
      const options = [
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--strict',
        '--noEmit',
        '--skipLibCheck',
        'false',
      ];
      const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata', '--types', ''];
      const { output } = await run(process.execPath, [tsc, ...options, ...decorators, 'typed.mts'], {
        cwd: folder,
      });
      // Nest's own types need those of Node, which are not installed here.
      expect(
        output.split('\n').filter((line) => line.includes('@sluice/engine') || line.startsWith('typed')),
      ).toEqual([]);
    });

    it.each(programs)('gives the same responses on $adapter, as $format', async ({ format, adapter }) => {
      const launch = { adapter, ...(binary && { node: binary }) };
      const [before, after] = [join(folder, `${format}-before`), join(folder, `${format}-after`)];
      const written = join(folder, `${format}-written`);
      await writeProgram(written, format, 'the writer of replies');
      await writeProgram(before, format, '@nestjs/common');
      await writeProgram(after, format, '@sluice/engine/nest');
      const expected = await askProgram(before, launch);
      expect(expected.answers.length).toBeGreaterThanOrEqual(100);
      expect(await askProgram(after, launch)).toEqual(expected);
      expect(await askProgram(before, { ...launch, ...registered })).toEqual(expected);
      expect(await askProgram(written, launch)).toEqual(expected);
    });
  });
});

function packagesOf({ nest, fastify, validator, node }: (typeof rows)[number]): string[] {
  return [
    ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${nest}`),
    `@nestjs/platform-fastify@${fastify}`,
    `class-validator@${validator}`,
    'class-transformer@0.5.1',
    'reflect-metadata@0.2.2',
    'rxjs@7.8.2',
    ...(node ? [`${nodePackage}@${node}`] : []),
  ];
}
