import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SourceMap } from 'node:module';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { compileSerializer } from '@app/engine';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { explain } from '../../libs/engine/src/functions/explain';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { sizesOf } from '../../tools/pack/engine/sizes.mts';
import { requests } from '../package/requests';
import {
  askProgram,
  installLinked,
  type Launch,
  type ModuleFormat,
  registered,
  writeProgram,
} from '../package/stock-program';
import * as dto from '../package/stock/orders.dto';
import { bundleAs, bundlers } from '../package/bundle';
import { writeRepository } from '../package/stock-repository';
import { sourcesIn, stockSources } from '../package/stock-sources';
import { endProcesses, run } from './processes';

const root = join(__dirname, '../..');
const peers = ['class-validator', 'class-transformer', 'reflect-metadata', 'rxjs'];
/** The command reads sources by the program's own compiler. */
const compiler = 'typescript';
const nest = ['common', 'core', 'platform-express', 'platform-fastify'].map((name) => `@nestjs/${name}`);

/**
 * A program without Nest, which prints whether its class is compiled, what is wrong with a value, and what is thrown at an
 * object that cannot be changed.
 */
const small = (load: string) => `${load}
class Counted { get total() { return 1; } }
class Order extends Counted {}
IsInt()(Order.prototype, 'count');
const frozen = Object.freeze(Object.assign(new Order(), { count: 1, unknown: 2 }));
const thrown = [
  () => validateSync(frozen, { whitelist: true }),
  () => plainToInstance(Order, { count: 1, total: 2 }),
].map((change) => {
  try {
    return change();
  } catch (error) {
    return error.constructor.name;
  }
});
const { input, output } = explain(Order);
const errors = validateSync(plainToInstance(Order, { count: 'x' }));
console.log(input.how, output.mode, errors[0].constraints.isInt, ...thrown);
`;
const smallPrograms = {
  cjs: small(`const { IsInt } = require('class-validator');
const { explain, plainToInstance, validateSync } = require('@sluice/engine');`),
  mjs: small(`import { explain, IsInt, plainToInstance, validateSync } from '@sluice/engine';`),
} as const;

/** A program that prints what it has converted by decorators of class-transformer, also by those that run late. */
const declaring = (load: string) => `${load}
class User {}
Exclude()(User.prototype, 'secret');
Expose({ name: 'name' })(User.prototype, 'title');
IsInt()(User.prototype, 'secret');
const user = plainToInstance(User, { name: 'a' });
user.secret = 'b';
if (validateSync(user).length !== 1) throw new Error('not validated');
const { input, output } = explain(User);
console.log(input.how, output.mode, JSON.stringify(instanceToPlain(user)), serialize(user), compileSerializer(User).write([user]));
Transform(({ value }) => value + '!')(User.prototype, 'title');
console.log(serialize(user), serialize(plainToInstance(User, { name: 'a' })));
try {
  for (const options of [undefined, { enableCircularCheck: true }])
    console.log(compileSerializer(User, options, { hardened: true }).write(user));
} catch (error) {
  console.log(error.message.split(':')[0]);
}
`;
const declaringNames =
  'compileSerializer, Exclude, explain, Expose, instanceToPlain, IsInt, plainToInstance, serialize, Transform, validateSync';
const declaringPrograms = {
  cjs: declaring(`const { ${declaringNames} } = require('@sluice/engine');`),
  mjs: declaring(`import { ${declaringNames} } from '@sluice/engine';`),
} as const;
const declared = [
  'code generated {"name":"a"} {"name":"a"} [{"name":"a"}]',
  '{"name":"a!"} {"name":"a!!"}',
  '{"name":"a!"}',
  '{"name":"a!"}',
];
const declaredByLibraries = [
  'library library {"name":"a"} {"name":"a"} [{"name":"a"}]',
  '{"name":"a!"} {"name":"a!!"}',
  'nothing is sent',
];

const compiled = 'code generated count must be an integer number TypeError TypeError';

/** A program in TypeScript, which uses the types of every entry. */
const typed = `import '@sluice/engine/register';
import { compileValidator, type ClassExplanation, explain, IsInt, serialize, validate } from '@sluice/engine';
import { ClassSerializerInterceptor, ValidationPipe, type ValidationPipeOptions } from '@sluice/engine/nest';
import type { ValidationError } from 'class-validator';
class Order {
  @IsInt() count!: number;
}
const options: ValidationPipeOptions = { transform: true, keepPrimitives: true };
export const pipe = new ValidationPipe(options);
export const interceptor = new ClassSerializerInterceptor(undefined, { groups: ['staff'] });
export const errors: Promise<ValidationError[]> = validate(new Order());
export const text: string = serialize(new Order());
export const told: ClassExplanation = explain(Order);
export const checked = compileValidator(Order, { whitelist: true }).check({});
`;

/**
 * The generated code for classes of the stock program. Also runs in a program, from its source. `ListOrders` is
 * not among them: for a property without a written type, the compiler of the tests emits another `design:type`.
 */
function generatedSources(
  engine: { compileSerializer: typeof compileSerializer; explain: typeof explain },
  { CreateOrder, CreateCode, ItemView }: typeof dto,
): string[] {
  const strict = { whitelist: true, stopAtFirstError: true, skipMissingProperties: true };
  const serializer = engine.compileSerializer(ItemView);
  const item = Object.assign(new ItemView(), { sku: 'a', quantity: 1 });
  for (const value of [item, [item]]) serializer.write(value);
  serializer.toPlain(item);
  return [{}, strict]
    .flatMap((options) =>
      [CreateOrder, CreateCode].map((type) => engine.explain<object>(type, options).input.source),
    )
    .concat(serializer.explain().classes.map(({ source }) => source))
    .map(String);
}

const printSources = `require('reflect-metadata');
${generatedSources.toString()}
console.log(JSON.stringify(generatedSources(require('@sluice/engine'), require('./orders.dto.js'))));
`;

/** The code in one form. */
function printed(source: string): string {
  const { code, errors } = minifySync('generated.js', `(() => {${source}})`, {
    compress: false,
    mangle: false,
  });
  expect(errors).toEqual([]);
  return code;
}

/**
 * The largest sizes in bytes, minified, without types and source maps. A program loads `index` or `nest`; it loads nothing of the command.
 */
const MOST_BYTES = {
  'index.mjs': 120_000,
  'nest.mjs': 132_500,
  'nest.cjs': 135_500,
  'switch-command.cjs': 26_000,
  'switch-classes.cjs': 38_100,
};

/** The same of what a program bundles, by its imports: a bundler leaves out the rest. */
const MOST_BUNDLED: Readonly<Record<string, number>> = {
  'all of @sluice/engine': 120_000,
  validate: 55_500,
  plainToInstance: 80_500,
  instanceToPlain: 44_000,
  'all of @sluice/engine/nest': 132_500,
};

describe('the package of the engine', () => {
  let folder = '';
  let tarball = '';
  const installed = () => join(folder, 'node_modules/@sluice/engine');

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'engine-package-')));
    tarball = await packEngine(join(folder, 'packed/engine'));
    await installLinked(folder, tarball, [...peers, compiler, ...nest]);
  });
  afterAll(async () => {
    await endProcesses();
    await rm(folder, { recursive: true, force: true });
  });

  it('has no dependency, and names its peers', async () => {
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(join(installed(), 'package.json'), 'utf8'),
    );
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest['peerDependencies']).toHaveProperty('reflect-metadata');
    expect(manifest['publishConfig']).toEqual({ access: 'public', provenance: true });
    expect(manifest['peerDependenciesMeta']).toEqual({ '@nestjs/common': { optional: true } });
  });

  it('has what its manifest names', async () => {
    const files = await readdir(installed());
    const manifest = await readFile(join(installed(), 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"\.\/([\w.]+\.[cm]?[jt]s)"/g)].flatMap(([, name]) => name ?? []);
    expect(named.length).toBeGreaterThan(8);
    expect(files).toEqual(expect.arrayContaining(named));
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'licenses.txt']));
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  it('is bundled without what a program does not import', async () => {
    const sizes = await sizesOf(installed());
    expect(sizes.map(({ name }) => name)).toEqual(Object.keys(MOST_BUNDLED));
    for (const { name, bytes } of sizes) {
      expect([name, bytes > 0.9 * MOST_BUNDLED[name]]).toEqual([name, true]);
      expect([name, bytes < MOST_BUNDLED[name]]).toEqual([name, true]);
    }
  });

  it.each(Object.entries(MOST_BYTES))('is small, minified: %s', async (file, most) => {
    const { outputFiles } = await build({
      entryPoints: [join(installed(), file)],
      bundle: true,
      minify: true,
      platform: 'node',
      external: ['class-*', '@nestjs/*'],
      write: false,
    });
    const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.byteLength, 0);
    expect(bytes).toBeGreaterThan(0.9 * most);
    expect(bytes).toBeLessThan(most);
  });

  it.each([
    ['validate', 'validation', 'serialization'],
    ['plainToInstance', 'validation', 'serialization'],
    ['instanceToPlain', 'serialization', 'validation'],
  ])('brings of its parts what one function needs: %s', async (name, needed, absent) => {
    const entry = join(folder, `${name}.mjs`);
    await writeFile(entry, `import { ${name} } from '@sluice/engine'; ${name}({});`);
    const bundle = await rolldown({ input: entry, platform: 'node', external: /^class-/ });
    const { output } = await bundle.generate();
    await bundle.close();
    const files = output
      .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      .map((id) => basename(id));
    expect(files).toContain(`${needed}.mjs`);
    expect(files).not.toContain(`${absent}.mjs`);
    // It takes every export of a module that also exports what CommonJS does.
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      write: false,
      metafile: true,
      outdir: folder,
    });
    const taken = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? basename(file) : []));
    expect(taken).toContain(`${needed}.mjs`);
    expect(taken).not.toContain(`${absent}.mjs`);
  });

  it.each(['engine.cjs', 'validation.mjs', 'nest.mjs'])(
    'has a source map that leads to each function: %s',
    async (file) => {
      const map = new SourceMap(
        JSON.parse(await readFile(join(folder, 'packed/engine.maps', `${file}.map`), 'utf8')),
      );
      const { sources, sourcesContent } = map.payload;
      const lines = (await readFile(join(installed(), file), 'utf8')).split('\n');
      const examples = lines.flatMap((line, at) => {
        const [, head = '', name = ''] = /^((?:async )?function )([a-z]+)\(/i.exec(line) ?? [];
        const entry = map.findEntry(at, head.length);
        if (name === '' || !('originalSource' in entry)) return [];
        const source = sourcesContent[sources.indexOf(entry.originalSource)]?.split('\n')[entry.originalLine];
        return [[name, source?.slice(entry.originalColumn, entry.originalColumn + name.length)]];
      });
      expect(examples.length).toBeGreaterThan(10);
      for (const [name, source] of examples) expect(source).toBe(name);
    },
  );

  it('imports nothing but its peers', async () => {
    const files = (await readdir(installed())).filter((file) => /\.[cm]js$/.test(file));
    const texts = await Promise.all(files.map((file) => readFile(join(installed(), file), 'utf8')));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from |require\()"([^".\s][^"\s]*)"/g)].map(([, name]) => name ?? ''),
    );
    const names = imported
      .filter((name) => !name.startsWith('node:'))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    expect(new Set(names)).toEqual(new Set(['@nestjs/common', 'class-transformer', 'class-validator']));
  });

  it.each(Object.entries(smallPrograms))(
    'is compiled in a program without Nest: %s',
    async (ending, text) => {
      const file = join(folder, `small.${ending}`);
      await writeFile(file, text);
      expect(await run(process.execPath, [file], { cwd: folder })).toEqual({ code: 0, output: compiled });
    },
  );

  it('generates the code of the workspace', async () => {
    const program = join(folder, 'generated');
    await writeProgram(program, 'cjs', '@sluice/engine/nest');
    await writeFile(join(program, 'print.js'), printSources);
    const { code, output } = await run(process.execPath, ['print.js'], { cwd: program });
    expect(code).toBe(0);
    const generated: string[] = JSON.parse(output);
    const expected = generatedSources({ compileSerializer, explain }, dto);
    expect(generated.map(printed)).toEqual(expected.map(printed));
  });

  it.each([
    ['index', ['explain', 'standardSchema', 'validateSync', 'ClassTransformer', 'Validator']],
    ['nest', ['inGroups', 'writeReplies', 'ValidationPipe']],
  ])('exports functions and classes with their names: %s', async (entry, names) => {
    const text = `console.log(...${JSON.stringify(names)}.map((name) => require('./${entry}.cjs')[name].name));`;
    const { output } = await run(process.execPath, ['-e', text], { cwd: installed() });
    expect(output).toBe(names.join(' '));
  });

  it.each(bundlers)('is compiled in one file of %s', async (bundler) => {
    const entry = join(folder, 'bundled.mjs');
    await writeFile(entry, smallPrograms.mjs);
    const file = await bundleAs(bundler, entry, join(folder, bundler));
    expect(await run(process.execPath, [file], { cwd: tmpdir() })).toEqual({ code: 0, output: compiled });
  });

  it.each(
    bundlers.flatMap((bundler) => (['mjs', 'cjs'] as const).map((ending) => [bundler, ending] as const)),
  )('is compiled as ES module in %s with the field module: .%s', async (bundler, ending) => {
    const entry = join(folder, `declaring.${ending}`);
    await writeFile(entry, declaringPrograms[ending]);
    const file = await bundleAs(bundler, entry, join(folder, `${bundler}-module`), ['module', 'main']);
    const { code, output } = await run(process.execPath, [file], { cwd: tmpdir() });
    expect({ code, lines: output.split('\n') }).toEqual({ code: 0, lines: declared });
    // A text of the CommonJS files alone.
    expect((await readFile(file, 'utf8')).includes('@sluice/engine needs')).toBe(false);
  });

  it('converts the same without a bundler', async () => {
    for (const [ending, text] of Object.entries(declaringPrograms)) {
      const file = join(folder, `declaring-alone.${ending}`);
      await writeFile(file, text);
      const { code, output } = await run(process.execPath, [file], { cwd: folder });
      expect({ code, lines: output.split('\n') }).toEqual({ code: 0, lines: declared });
    }
  });

  it('leaves all to the libraries, with one warning, where it cannot observe which copy the decorators write to', async () => {
    const entry = join(folder, 'frozen.mjs');
    await writeFile(join(folder, 'freeze.mjs'), 'Object.freeze(Map.prototype);');
    await writeFile(entry, `import './freeze.mjs';\n${declaringPrograms.mjs}`);
    const file = await bundleAs('esbuild', entry, join(folder, 'frozen'), ['module', 'main']);
    const { code, output } = await run(process.execPath, [file], { cwd: tmpdir() });
    const isWarning = (line: string) => line.includes('SLUICE_NOT_COMPILED');
    const lines = output.split('\n').filter((line) => !line.includes('--trace-warnings'));
    expect({ code, lines: lines.filter((line) => !isWarning(line)) }).toEqual({
      code: 0,
      lines: declaredByLibraries,
    });
    expect(lines.filter(isWarning)).toEqual([expect.stringContaining('prefer the field main to module')]);
  });

  it.each(['mts', 'cts'])('has types for a program in .%s', async (ending) => {
    const file = `typed.${ending}`;
    await writeFile(join(folder, file), typed);
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--noEmit', '--skipLibCheck'];
    const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata', '--types', ''];
    const args = [tsc, ...options, ...decorators, file];
    expect(await run(process.execPath, args, { cwd: folder })).toEqual({ code: 0, output: '' });
  });

  it('has a command that ends quietly when its reader ends, as in `switch | head`', async () => {
    await writeRepository(join(folder, 'piped'));
    const command = join(installed(), 'command.cjs');
    const child = spawn(process.execPath, [command, 'switch', 'piped', '--no-classes'], { cwd: folder });
    child.stdout.destroy();
    const errors = readText(child.stderr);
    const [code] = await once(child, 'close');
    expect({ code, errors: await errors }).toEqual({ code: 0, errors: '' });
  });

  it('has a command that switches a program, which git can undo', async () => {
    const program = await writeRepository(join(folder, 'switched'));
    const ask = (...options: string[]) =>
      run('npx', ['--offline', '@sluice/engine', 'switch', 'switched', ...options], { cwd: folder });
    const report = await ask();
    expect(report.code).toBe(0);
    expect(report.output).toContain("+import { ValidationPipe } from '@sluice/engine/nest';");
    expect(report.output).toContain('2 files would be changed: npx @sluice/engine switch --write');
    expect(report.output).toMatch(/CreateOrder\n {2}input {3}compiled, 28 rules; refused: [\d.]+ µs → /);
    expect(report.output).toContain('isKnownCode is a rule of its own');
    expect(await sourcesIn(program)).toEqual(await stockSources('@nestjs/common'));

    await writeFile(join(program, 'new.txt'), '');
    expect(await ask('--write')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/not committed.*--force/),
    });
    expect(await sourcesIn(program)).toEqual(await stockSources('@nestjs/common'));
    await rm(join(program, 'new.txt'));
    // As after npm install, which is the first step of the guide.
    await writeFile(join(program, 'package.json'), '{"private":true,"dependencies":{"@sluice/engine":"*"}}');
    await writeFile(join(program, 'package-lock.json'), '{}');
    expect(await ask('--write', '--no-classes')).toMatchObject({ code: 0 });
    expect(await sourcesIn(program)).toEqual(await stockSources('@sluice/engine/nest'));
    expect((await ask('--no-classes')).output).toMatch(/^There is nothing to change\.$/m);
  });

  it('has a command that says which compiler it needs', async () => {
    const program = join(folder, 'compiled-by-7');
    await mkdir(join(program, 'node_modules/typescript'), { recursive: true });
    await writeFile(join(program, 'package.json'), '{}');
    await writeFile(join(program, 'node_modules/typescript/index.js'), 'exports.version = "7.0.2";');
    const command = join(folder, 'node_modules/.bin/sluice-engine');
    const { code, output } = await run(command, ['switch'], { cwd: program });
    expect([code, output]).toEqual([1, expect.stringContaining('npm install --no-save typescript@6')]);
  });

  it.each([
    [['switch', 'nowhere'], /nowhere has no package.json/],
    [['swich'], /The command is "switch \[FOLDER\]", and not "swich"/],
    [['switch', '--wirte'], /Unknown option '--wirte'.*see --help/],
  ])('has a command that says what it cannot do: %j', async (args, sentence) => {
    const command = join(folder, 'node_modules/.bin/sluice-engine');
    const { code, output } = await run(command, args, { cwd: folder });
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await run(command, ['--help'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  describe.each(['cjs', 'esm'] as const)('in a program of Nest, as %s', (format: ModuleFormat) => {
    it.each(['fastify', 'express'] as const)('gives the same responses on %s', async (adapter) => {
      const launch: Launch = { adapter };
      const [before, after] = [join(folder, `${format}-before`), join(folder, `${format}-after`)];
      const written = join(folder, `${format}-written`);
      await writeProgram(written, format, 'the writer of replies');
      await writeProgram(before, format, '@nestjs/common');
      await writeProgram(after, format, '@sluice/engine/nest');
      const expected = await askProgram(before, launch);
      expect(requests.length).toBeGreaterThanOrEqual(100);
      expect(await askProgram(after, launch)).toEqual(expected);
      expect(await askProgram(before, { ...launch, ...registered })).toEqual(expected);
      expect(await askProgram(written, launch)).toEqual(expected);
      expect(new Set(expected.answers.map(({ status }) => status))).toEqual(
        new Set([200, 201, 400, 404, 409, 422]),
      );
    });
  });
});
