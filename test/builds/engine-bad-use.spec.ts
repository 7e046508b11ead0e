import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { askProgram, writeProgram } from '../package/stock-program';
import { endProcesses, run } from './processes';

const modules = join(__dirname, '../../node_modules');
const nest = ['common', 'core', 'platform-express', 'platform-fastify'].map((name) => `@nestjs/${name}`);
const peers = ['class-validator', 'class-transformer', 'reflect-metadata', 'rxjs', ...nest];

/** Uses every part of the package, with two classes, and prints what the libraries would. */
const usesAll = `require('reflect-metadata');
const { ClassSerializerInterceptor, ValidationPipe } = require('@sluice/engine/nest');
const { instanceToPlain, IsInt, plainToInstance, validateSync } = require('@sluice/engine');
new ClassSerializerInterceptor(undefined);
const pipe = new ValidationPipe({ transform: true });
for (const type of [class Order {}, class Item {}]) {
  IsInt()(type.prototype, 'count');
  const made = plainToInstance(type, { count: 'x' });
  console.log(validateSync(made)[0].constraints.isInt, JSON.stringify(instanceToPlain(made)));
  const metadata = { type: 'body', metatype: type };
  pipe.transform({ count: 'x' }, metadata).catch((error) => console.log(error.getResponse().message.join()));
}
`;
const message = 'count must be an integer number';
const ofAll = [`${message} {"count":"x"}`, `${message} {"count":"x"}`, message, message];

/** A program with Nest's own pipe, which is started with the engine. */
const stock = `require('reflect-metadata');
const { ValidationPipe } = require('@nestjs/common');
const { IsInt } = require('class-validator');
class Order {}
IsInt()(Order.prototype, 'count');
const metadata = { type: 'body', metatype: Order };
const print = (error) => console.log(error.getResponse().message.join());
new ValidationPipe().transform({ count: 'x' }, metadata).catch(print);
`;

/** A package that is not what its users expect. */
const replaced = (name: string, version: string, text: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: text.replaceAll('REAL', JSON.stringify(join(modules, name))),
});

const otherNest = (version: string) => replaced('@nestjs/common', version, 'module.exports = require(REAL);');

/** It accepts what no rule knows, as class-validator did before 0.13. */
const otherValidator = `const real = require(REAL);
const other = { forbidUnknownValues: undefined, stopAtFirstError: undefined };
const validateSync = (object, options) => real.validateSync(object, { ...options, ...other });
module.exports = { ...real, validateSync };`;

const nodeBefore = `const versions = { ...process.versions, node: '18.20.8' };
Object.defineProperty(process, 'versions', { value: versions });`;

interface BadUse {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  readonly line: RegExp;
}

const uses: Readonly<Record<string, BadUse>> = {
  'another class-validator': {
    files: replaced('class-validator', '0.12.2', otherValidator),
    line: /this class-validator behaves as none that was tested .*: npm install class-validator@0\.15/,
  },
  'Nest 9': {
    files: otherNest('9.4.3'),
    line: /NestJS 9\.4\.3 is not one of the tested versions, 10 to 12: npm install @nestjs\/common@12/,
  },
  'Nest 13': { files: otherNest('13.0.0'), line: /NestJS 13\.0\.0 is not one of the tested versions/ },
  'Node 18': {
    files: { 'before.cjs': nodeBefore },
    options: ['--require', './before.cjs'],
    line: /Node 20 or later is needed, and this is 18\.20\.8/,
  },
  'code generation that is forbidden': {
    options: ['--disallow-code-generation-from-strings'],
    line: /code generation from strings is forbidden/,
  },
};

describe('the package of the engine, used badly', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'engine-bad-use-')));
    await packEngine(join(folder, 'packed/engine'));
  });
  afterAll(async () => {
    await endProcesses();
    await rm(folder, { recursive: true, force: true });
  });

  /** A program with the package; peers that its files do not have are linked. */
  async function programWith(name: string, files: BadUse['files'] = {}, linked = peers): Promise<string> {
    const program = join(folder, name.replaceAll(/\W/g, '-'));
    await cp(join(folder, 'packed/engine'), join(program, 'node_modules/@sluice/engine'), {
      recursive: true,
    });
    for (const [path, text] of Object.entries({ ...files, 'all.cjs': usesAll, 'stock.cjs': stock })) {
      await mkdir(dirname(join(program, path)), { recursive: true });
      await writeFile(join(program, path), text);
    }
    for (const peer of linked.filter((candidate) => !(`node_modules/${candidate}/index.js` in files))) {
      await mkdir(dirname(join(program, 'node_modules', peer)), { recursive: true });
      await symlink(join(modules, peer), join(program, 'node_modules', peer), 'dir');
    }
    return program;
  }

  /** The printed lines: the engine's lines, and all other lines. */
  async function linesOf(program: string, args: readonly string[]) {
    const { code, output } = await run(process.execPath, args, { cwd: program });
    expect([code, output]).toEqual([0, expect.anything()]);
    const lines = output.split('\n').filter((line) => !line.includes('--trace-warnings'));
    const isWarning = (line: string) => line.includes('Sluice');
    return { warnings: lines.filter(isWarning), others: lines.filter((line) => !isWarning(line)) };
  }

  it.each(Object.entries(uses))('runs on the libraries, with one line: %s', async (name, use) => {
    const { files, options = [], line } = use;
    const program = await programWith(name, files);
    const all = await linesOf(program, [...options, 'all.cjs']);
    expect(all).toEqual({ warnings: [expect.stringMatching(line)], others: ofAll });
    const registered = await linesOf(program, [
      ...options,
      '--import',
      '@sluice/engine/register',
      'stock.cjs',
    ]);
    expect(registered).toEqual({ warnings: [expect.stringMatching(line)], others: [message] });
  });

  it('is not used by a program that lacks a peer, and names the remedy', async () => {
    const program = await programWith('lacking', {}, ['class-validator', '@nestjs/common']);
    const args = ['--import', '@sluice/engine/register', '--eval', 'console.log("runs")'];
    const { warnings, others } = await linesOf(program, args);
    const remedy = 'class-transformer is not installed: npm install class-transformer@0.5.';
    expect(warnings).toEqual([expect.stringContaining(remedy)]);
    expect(others).toEqual(['runs']);
  });

  it.each([
    ['.', ['class-transformer', 'reflect-metadata'], 'class-validator: npm install class-validator'],
    ['./nest', ['class-validator', ...nest], 'class-transformer: npm install class-transformer@0.5'],
    ['./nest', ['class-validator', 'class-transformer'], '@nestjs/common: npm install @nestjs/common'],
  ])('names the peer that %s lacks, and the remedy, if all there is is %j', async (entry, linked, remedy) => {
    const program = await programWith(`${entry} lacks ${remedy}`, {}, linked);
    const loaded = `require('${entry.replace('.', '@sluice/engine')}')`;
    const printed = `try { ${loaded} } catch (error) { console.log(error.code, error.message) }`;
    const { others } = await linesOf(program, ['--eval', printed]);
    expect(others).toEqual([`MODULE_NOT_FOUND @sluice/engine needs ${remedy}`]);
  });

  it('leaves a program with two copies of class-transformer to its own, and says so', async () => {
    const program = await programWith('twice');
    const name = 'node_modules/class-transformer';
    await cp(join(modules, 'class-transformer'), join(program, 'node_modules/@sluice/engine', name), {
      recursive: true,
    });
    const [before, after] = [join(program, 'before'), join(program, 'after')];
    await writeProgram(before, 'cjs', '@nestjs/common');
    await writeProgram(after, 'cjs', '@sluice/engine/nest');
    const { answers } = await askProgram(before, { adapter: 'fastify' });
    const outcome = await askProgram(after, { adapter: 'fastify' });
    expect(outcome.answers).toEqual(answers);
    await writeFile(join(program, 'first.cjs'), `require('class-transformer');\nrequire('./all.cjs');`);
    expect(await linesOf(program, ['first.cjs'])).toEqual({
      warnings: [expect.stringContaining('class-transformer is loaded twice: see npm ls class-transformer')],
      others: ofAll,
    });
  });
});
