import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { endProcesses, run } from '../builds/processes';
import { cache, install, installed } from './installed';
import { registered, writeSources } from './stock-program';

const packages = [
  'class-validator@0.15.1',
  'class-transformer@0.5.1',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
  '@nestjs/common@12.5.1',
  '@nestjs/core@12.5.1',
  '@nestjs/platform-fastify@12.5.0',
  'fastify@5.12.8',
  '@nestjs/graphql@14.0.3',
  '@nestjs/mercurius@14.0.0',
  'mercurius@16.10.1',
  'graphql@16.15.0',
  'type-graphql@2.0.0-rc.4',
  'graphql-scalars@1.25.0',
  'nestjs-i18n@10.8.5',
  'nestjs-cls@7.0.0',
];

/** Prints at the end which classes class-validator itself has validated, those of our probes apart. */
const observer = `const { ValidationExecutor } = require('class-validator/cjs/validation/ValidationExecutor');
const { execute } = ValidationExecutor.prototype;
const names = new Set();
ValidationExecutor.prototype.execute = function (object, ...others) {
  names.add(object.constructor.name);
  return execute.call(this, object, ...others);
};
process.on('exit', () => console.log('by class-validator:', ...[...names].filter((name) => name !== 'Probe').sort()));
`;

/** How a program gets the engine: by its imports, or by `--import @sluice/engine/register`. */
type Way = 'imports' | 'register';

/** A program in `beside`, which is no part of the workspace as its packages are not, and parts of what it prints. */
interface Row {
  readonly name: string;
  readonly ways: readonly Way[];
  readonly classes: string;
  readonly valid: string;
  readonly invalid: string;
}

const rows: readonly Row[] = [
  {
    name: 'graphql',
    ways: ['imports', 'register'],
    classes: 'ChangeOrder NewItem NewOrder',
    valid: 'NewOrder of NewItem',
    invalid: 'must be an email',
  },
  // It imports class-validator by itself, unless it is given a function.
  {
    name: 'type-graphql',
    ways: ['imports'],
    classes: 'Filter',
    valid: 'Filter',
    invalid: 'count must not be less than 1',
  },
  // Its pipe extends that of `@nestjs/common`.
  {
    name: 'i18n',
    ways: ['register'],
    classes: 'Item Order',
    valid: 'Order of Item',
    invalid: 'email ist keine Adresse',
  },
  {
    name: 'cls',
    ways: ['imports', 'register'],
    classes: 'Order',
    valid: 'Order of ada',
    invalid: 'owner is not grace',
  },
];

describe('the packed engine, beside packages that use the same libraries', () => {
  let folder = '';

  beforeAll(async () => {
    const tarball = await packEngine(join(cache, 'packed-for-beside/engine'));
    folder = await installed(packages);
    await install(folder, [tarball]);
    await writeFile(join(folder, 'observe.cjs'), observer);
  });
  afterAll(endProcesses);

  it.each(rows)('is compiled in a program with $name, and gives its results', async (row) => {
    const source = await readFile(join(__dirname, 'beside', `${row.name}.ts.txt`), 'utf8');
    const before = await print(`${row.name}-before`, source, []);
    expect(before.at(-1)).toBe(`by class-validator: ${row.classes}`);
    expect(before.join('\n')).toContain(row.valid);
    expect(before.join('\n')).toContain(row.invalid);
    const expected = [...before.slice(0, -1), 'by class-validator:'];
    for (const way of row.ways) {
      const isHooked = way === 'register';
      const text = isHooked ? source : importsOurs(source);
      const options = isHooked ? (registered.options ?? []) : [];
      expect(await print(`${row.name}-${way}`, text, options)).toEqual(expected);
    }
  });

  /** Warnings are part of what is printed. */
  async function print(name: string, source: string, options: readonly string[]): Promise<string[]> {
    const cwd = join(folder, name);
    await writeSources(cwd, 'cjs', { 'main.ts': source });
    const all = ['--require', '../observe.cjs', ...options, 'main.js'];
    const { output } = await run(process.execPath, all, { cwd });
    return output.split('\n');
  }
});

function importsOurs(source: string): string {
  const changed = source
    .replace("{ ValidationPipe } from '@nestjs/common'", "{ ValidationPipe } from '@sluice/engine/nest'")
    .replace("{ validateOrReject } from 'class-validator'", "{ validateOrReject } from '@sluice/engine'");
  expect(changed).not.toBe(source);
  return changed;
}
