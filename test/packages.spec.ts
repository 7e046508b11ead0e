import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CodePlaces } from '@app/contract';
import { readDescriptions } from '../scripts/read-descriptions.mts';
import { link } from '../tools/pack/modules/specifiers.mts';
import { versionsOf } from '../tools/pack/modules/versions.mts';
import { bundle } from '../tools/pack/service/bundle.mts';
import { manifestOf, subpaths } from '../tools/pack/service/manifest.mts';

const files = new Set([
  'libs/auth/src/index',
  'libs/mail/src/mail',
  'libs/mail/src/index',
  'libs/mail/testing/index',
]);
const modules = { has: (path: string) => files.has(path) };

describe('a module of a package', () => {
  it.each([
    ["import { a } from '@app/auth';", "import { a } from '../../auth/src/index.js';"],
    ["export { a } from './mail';", "export { a } from './mail.js';"],
    ["const a = await import('./mail.js');", "const a = await import('./mail.js');"],
    ["export declare const a: import('..').B;", "export declare const a: import('../index.js').B;"],
    ["declare module './mail' {}\nexport {};", "declare module './mail.js' {}\nexport {};"],
    ["/** import { a } from '@app/auth'; */", "/** import { a } from '@app/auth'; */"],
    ["const a = `import '@app/auth'`;", "const a = `import '@app/auth'`;"],
  ])('imports files with their endings: %s', (source, linked) => {
    const path = source.includes("'..'") ? 'libs/mail/src/sending/a.d.ts' : 'libs/mail/src/a.js';
    const { text } = link(path, source, modules, '.js');
    expect(text).toBe(linked);
  });

  it('imports other packages by their names, which are found', () => {
    const packageOf = (specifier: string) => (specifier === '@app/auth' ? '@sluice/service/auth' : undefined);
    const source = "import 'node:fs';\nimport { a } from '@app/auth';\nimport b from 'kysely';";
    const { text, packages } = link('scripts/a.mjs', source, { ...modules, packageOf }, '.mjs');
    expect([text, packages]).toEqual([
      source.replace('@app/auth', '@sluice/service/auth'),
      ['@sluice/service/auth', 'kysely'],
    ]);
  });

  it('imports no file that is missing', () => {
    expect(() => link('libs/mail/src/a.js', "import './b';", modules, '.js')).toThrow(
      'libs/mail/src/a.js imports ./b, which is not there',
    );
  });
});

describe('the modules of @sluice/service', () => {
  const entries = ['libs/jobs/src/index', 'libs/mail/src/index'];
  const sources = {
    'libs/jobs/src/own': 'export class Job {}',
    'libs/jobs/src/other': 'export class Job {}',
    'libs/jobs/src/time': 'export class Time {}',
    'libs/jobs/src/index': ['own', 'other', 'time'].map((name) => `export * as ${name} from './${name}.js';`),
    'libs/mail/src/index': "export { Time } from '../../jobs/src/time.js'; export * from 'kysely';",
  };
  const descriptions = {
    'libs/jobs/src/own': { Job: 'A job.' },
    'libs/jobs/src/other': { Job: 'Another job.' },
  };
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'));
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, `${path}.js`), [text].flat().join('\n'));
    }
    writeFileSync(join(folder, 'descriptions.json'), JSON.stringify(descriptions));
    await bundle(entries, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are the entries and what several of them have, once; other packages are imported', () => {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
    const bundled = paths.filter((path) => path.endsWith('.js'));
    expect(bundled).toEqual([
      expect.stringMatching(/^libs\/jobs-[\w-]+\.js$/),
      ...entries.map((entry) => `${entry}.js`),
    ]);
    const texts = bundled.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');
    expect(texts.match(/\bTime = class/g)).toHaveLength(1);
    expect(texts).toContain('from "kysely"');
    expect(texts.match(/__name\(\w+, "Job"\)/g)).toHaveLength(1);
  });

  it('have the descriptions of their sources, also if two have a class of the same name', () => {
    const file = join(folder, 'libs/jobs/src/index.js');
    const lines = readFileSync(file, 'utf8').split('\n');
    const comments = lines.flatMap((text, at) => {
      if (!/\bJob\S* = class/.test(text)) return [];
      const places = Object.assign(Object.create(CodePlaces.prototype), {
        find: () => ({ file, line: at + 1 }),
      });
      return readDescriptions(places)({ key: 'Job', type: class Job {} });
    });
    expect(new Set(comments)).toEqual(new Set(['A job.', 'Another job.']));
  });
});

describe('@sluice/service', () => {
  it('has a subpath for each library but the client, which has a package of its own', () => {
    const libs = readdirSync(join(__dirname, '../libs')).filter((name) => name !== 'client');
    const named = libs.map((name) => (name === 'service' ? '.' : `./${name}`));
    expect(Object.keys(subpaths)).toEqual(expect.arrayContaining(named));
  });

  const [runs, tests] = ['libs/service/src/logs/open-logs', 'libs/service/testing/promises'];
  const importedBy = (imported: Record<string, string[]>) => manifestOf(new Map(Object.entries(imported)));

  it('needs what its modules import, in the versions of this workspace', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = importedBy({
      pino: [tests, runs],
      kysely: [runs],
      'fast-check': [tests],
    });
    expect(dependencies).toEqual(versionsOf(['@node-rs/argon2', 'pino', 'swagger-ui-dist']));
    expect(peerDependencies).toMatchObject(versionsOf(['kysely', '@nestjs/core', 'fast-check'], '^'));
    expect(peerDependenciesMeta).toHaveProperty('fast-check', { optional: true });
    expect(peerDependenciesMeta).not.toHaveProperty('kysely');
  });

  it('cannot need a package that the workspace does not declare', () => {
    expect(() => importedBy({ 'left-pad': [runs] })).toThrow(
      'left-pad is imported by a package, and is not in package.json',
    );
  });
});
