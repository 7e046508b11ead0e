import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { endProcesses, run } from '../builds/processes';
import { cache, install, installed, ownEnvironment } from './installed';

const libraries = ['class-validator@0.15.1', 'class-transformer@0.5.1', 'reflect-metadata@0.2.2'];

/** Prints whether a class is compiled, and what is wrong with a value. */
const checks = `
class Order {}
IsInt()(Order.prototype, 'count');
const { input, output } = explain(Order);
const [error] = validateSync(plainToInstance(Order, { count: 'x' }));
console.log(input.how, output.mode, error.constraints.isInt);
`;
const names = 'explain, IsInt, plainToInstance, validateSync';
const compiled = 'code generated count must be an integer number';
const byLibraries = 'library library count must be an integer number';

describe('the packed engine, with tools of a program', () => {
  let folder = '';
  let tarball = '';

  beforeAll(async () => {
    tarball = await packEngine(join(cache, 'packed-for-tools/engine'));
    folder = await installed([
      ...libraries,
      '@rspack/core@2.3.2',
      'vitest@5.1.1',
      'unplugin-swc@2.0.0',
      '@swc/core@1.16.22',
      'class-validator-jsonschema@5.2.0',
      '@yarnpkg/cli-dist@4.18.1',
    ]);
    await install(folder, [tarball]);
  });
  afterAll(endProcesses);

  it.each([
    ['main', 'module'],
    ['module', 'main'],
  ])('is compiled in a bundle of rspack that prefers %s to %s', async (...mainFields) => {
    const path = join(folder, `rspack-${mainFields[0]}`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'main.mjs'), `import { ${names} } from '@sluice/engine';${checks}`);
    const options = { mode: 'production', target: 'node', resolve: { mainFields }, context: path };
    const output = { path, filename: 'bundle.cjs' };
    await writeFile(
      join(path, 'build.cjs'),
      `require('@rspack/core').rspack(${JSON.stringify({ ...options, entry: './main.mjs', output })}, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString('errors-only'));
});`,
    );
    expect(await run(process.execPath, ['build.cjs'], { cwd: path })).toMatchObject({ code: 0 });
    const { output: printed } = await run(process.execPath, ['--no-warnings', 'bundle.cjs'], { cwd: path });
    expect(printed).toBe(compiled);
  });

  it('is compiled in a test of Vitest with swc', async () => {
    const path = join(folder, 'vitest-swc');
    await mkdir(path, { recursive: true });
    await writeFile(
      join(path, 'vitest.config.mjs'),
      `import swc from 'unplugin-swc';
const transform = { legacyDecorator: true, decoratorMetadata: true };
export default {
  // By default it leaves node_modules out, where this program is.
  plugins: [swc.vite({ exclude: /never/, swcrc: false, tsconfigFile: false, jsc: { parser: { syntax: 'typescript', decorators: true }, transform } })],
};`,
    );
    await writeFile(
      join(path, 'order.spec.ts'),
      `import 'reflect-metadata';
import { explain, IsInt, IsOptional, plainToInstance, Type, ValidateNested, validateSync } from '@sluice/engine';
import { expect, it } from 'vitest';
enum Kind { Small = 'small' }
class Item { @IsInt() count!: number; }
class Order {
  @IsOptional() kind?: Kind;
  @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
}
it('validates', () => {
  expect([explain(Order).input.how, explain(Order).output.mode]).toEqual(['code', 'generated']);
  const order = plainToInstance(Order, { kind: 'small', items: [{ count: 1 }, { count: 'x' }] });
  expect(order.items[0]).toBeInstanceOf(Item);
  expect(validateSync(order)[0]?.children?.[0]?.children?.[0]?.constraints).toEqual({ isInt: 'count must be an integer number' });
});`,
    );
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    expect(await run(process.execPath, [vitest, 'run', '--root', path], { cwd: path })).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 passed'),
    });
  });

  it('leaves all to the libraries in a worker that must not generate code', async () => {
    await writeFile(
      join(folder, 'worker.cjs'),
      `const { isMainThread, Worker } = require('node:worker_threads');
if (isMainThread) new Worker(__filename);
else {
  const { ${names} } = require('@sluice/engine');${checks}}`,
    );
    const options = ['--disallow-code-generation-from-strings', '--no-warnings', 'worker.cjs'];
    expect(await run(process.execPath, options, { cwd: folder })).toEqual({ code: 0, output: byLibraries });
  });

  it('is compiled in a program without node_modules, by Plug’n’Play of Yarn', async () => {
    const path = join(folder, 'yarn-pnp');
    await mkdir(path, { recursive: true });
    await copyFile(tarball, join(path, 'engine.tgz'));
    const dependencies = { '@sluice/engine': 'file:./engine.tgz', '@nestjs/common': '12.5.1', rxjs: '7.8.2' };
    const versions = Object.fromEntries(libraries.map((library) => library.split('@') as [string, string]));
    const manifest = { name: 'program', private: true, dependencies: { ...dependencies, ...versions } };
    await writeFile(join(path, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(path, 'yarn.lock'), '');
    const settings = ['nodeLinker: pnp', 'enableGlobalCache: false', 'enableTelemetry: false'];
    await writeFile(join(path, '.yarnrc.yml'), settings.join('\n'));
    const print = `${checks}\nconsole.log(Reflect.construct(ValidationPipe, []).constructor === ValidationPipe);`;
    const nest = '@sluice/engine/nest';
    await writeFile(
      join(path, 'main.cjs'),
      `const { ${names} } = require('@sluice/engine');\nconst { ValidationPipe } = require('${nest}');${print}`,
    );
    await writeFile(
      join(path, 'main.mjs'),
      `import { ${names} } from '@sluice/engine';\nimport { ValidationPipe } from '${nest}';${print}`,
    );
    const bin = join(folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
    const yarn = (...args: string[]) =>
      run(process.execPath, [bin, ...args], { cwd: path, env: ownEnvironment() });
    expect(await yarn('install', '--no-immutable')).toMatchObject({ code: 0 });
    for (const main of ['main.cjs', 'main.mjs'])
      expect(await yarn('node', '--no-warnings', main)).toEqual({ code: 0, output: `${compiled}\ntrue` });
  });

  it('leaves the metadata to class-validator-jsonschema as it was', async () => {
    const program = (uses: string) => `require('reflect-metadata');
const { IsEmail, IsInt, Min, ValidateNested } = require('class-validator');
const { Type } = require('class-transformer');
const { validationMetadatasToSchemas } = require('class-validator-jsonschema');
class Item {}
IsInt()(Item.prototype, 'count');
Min(1)(Item.prototype, 'count');
class Order {}
IsEmail()(Order.prototype, 'email');
ValidateNested({ each: true })(Order.prototype, 'items');
Type(() => Item)(Order.prototype, 'items');
${uses}
const { defaultMetadataStorage: classTransformerMetadataStorage } = require('class-transformer/cjs/storage');
console.log(JSON.stringify(validationMetadatasToSchemas({ classTransformerMetadataStorage })));`;
    await writeFile(join(folder, 'schemas.cjs'), program(''));
    const uses = `const { compileValidator } = require('@sluice/engine');
compileValidator(Order).check({ email: 'a', items: [{ count: 0 }] });`;
    await writeFile(join(folder, 'schemas-after.cjs'), program(uses));
    const before = await run(process.execPath, ['schemas.cjs'], { cwd: folder });
    expect(before.output).toContain('"format":"email"');
    expect(await run(process.execPath, ['schemas-after.cjs'], { cwd: folder })).toEqual(before);
  });

  it('takes the validators of a program from its container', async () => {
    const program = (library: string) => `require('reflect-metadata');
const { useContainer, Validate, ValidatorConstraint } = require('class-validator');
const { validate } = require('${library}');
class Names { taken = new Set(['admin']); }
class IsFree {
  constructor(names) { this.names = names; }
  async validate(value) { return !this.names.taken.has(value); }
  defaultMessage() { return '$property is taken'; }
}
ValidatorConstraint({ name: 'isFree', async: true })(IsFree);
const isFree = new IsFree(new Names());
useContainer({ get: (type) => type === IsFree ? isFree : new type() });
class User {}
Validate(IsFree)(User.prototype, 'name');
const of = (name) => validate(Object.assign(new User(), { name }));
Promise.all(['admin', 'ada'].map(of)).then((errors) => console.log(JSON.stringify(errors)));`;
    await writeFile(join(folder, 'container.cjs'), program('class-validator'));
    await writeFile(join(folder, 'container-after.cjs'), program('@sluice/engine'));
    const before = await run(process.execPath, ['container.cjs'], { cwd: folder });
    expect(before.output).toContain('name is taken');
    expect(await run(process.execPath, ['container-after.cjs'], { cwd: folder })).toEqual(before);
  });
});
