import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The probe's findings about its builder. */
export interface Findings {
  /** The own property names of an instance. The class declares `declared` without a value and `given` with a value. */
  readonly ownNames: readonly string[];
  /** The type metadata of the constructor parameter and the field in a decorated class. */
  readonly types: readonly string[];
  /** The export of `ending.ts`, which is imported as `./ending.js`. */
  readonly ending: string;
  /** The stack trace of an error in a library. */
  readonly stack: string;
}

/** Adds an application and a library to a workspace copy. They report how a builder compiles our sources. */
export async function addProbe(workspace: string): Promise<void> {
  await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }),
  );
  await change(join(workspace, 'nest-cli.json'), (cli) => {
    const compilerOptions = { tsConfigPath: 'apps/probe/tsconfig.app.json' };
    const place = { root: 'apps/probe', sourceRoot: 'apps/probe/src', entryFile: 'main' };
    cli.projects.probe = { type: 'application', ...place, compilerOptions };
  });
  await change(join(workspace, 'tsconfig.json'), ({ compilerOptions }) => {
    compilerOptions.paths['@app/probe'] = ['./libs/probe/src/index.ts'];
  });
}

async function change(path: string, edit: (content: any) => void): Promise<void> {
  const content = JSON.parse(await readFile(path, 'utf8'));
  edit(content);
  await writeFile(path, JSON.stringify(content));
}

const tsconfig = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    declaration: false,
    noCheck: true,
    rootDir: '../..',
    outDir: '../../dist/apps/probe',
    types: ['node'],
  },
  include: ['src/**/*'],
};

const files = {
  'apps/probe/tsconfig.app.json': JSON.stringify(tsconfig),
  'apps/probe/main.js': `
require('node:module').setSourceMapsSupport?.(true);
require('./apps/probe/src/main.js');
`,
  'apps/probe/src/main.ts': `import 'reflect-metadata';
import { Decorated, fail, Fields } from '@app/probe';
import { ending } from './ending.js';

const types = [
  ...Reflect.getMetadata('design:paramtypes', Decorated),
  Reflect.getMetadata('design:type', Decorated.prototype, 'at'),
].map(({ name }: { name: string }) => name);
let stack: string | undefined;
try {
  fail();
} catch (error) {
  stack = (error as Error).stack;
}
console.log(JSON.stringify({ ownNames: Object.keys(new Fields()), types, ending, stack }));
`,
  'apps/probe/src/ending.ts': `export const ending = '.js';
`,
  'libs/probe/src/index.ts': `export { Decorated } from './decorated.js';
export { fail } from './fail';
export { Fields } from './fields';
`,
  'libs/probe/src/fields.ts': `export class Fields {
  declared!: string;
  given = 'value';
}
`,
  'libs/probe/src/decorated.ts': `import { Injectable } from '@nestjs/common';
import { IsDate } from 'class-validator';
import { Fields } from './fields';

@Injectable()
export class Decorated {
  @IsDate() at!: Date;
  constructor(readonly fields: Fields) {}
}
`,
  'libs/probe/src/fail.ts': `/** Throws on line 4 of this file. */
export function fail(): never {
  const what: string = 'this';
  throw new Error(\`the probe throws \${what}\`);
}
`,
};
