import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { link } from '../tools/pack/modules/specifiers.mts';
import { versionsOf } from '../tools/pack/modules/versions.mts';
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
  ])('imports files with their endings: %s', (given, linked) => {
    const path = given.includes("'..'") ? 'libs/mail/src/sending/a.d.ts' : 'libs/mail/src/a.js';
    const { text } = link(path, given, modules, '.js');
    expect(text).toBe(linked);
  });

  it('imports other packages by their names, which are found', () => {
    const packageOf = (specifier: string) => (specifier === '@app/auth' ? '@sluice/service/auth' : undefined);
    const given = "import 'node:fs';\nimport { a } from '@app/auth';\nimport b from 'kysely';";
    const { text, packages } = link('scripts/a.mjs', given, { ...modules, packageOf }, '.mjs');
    expect([text, packages]).toEqual([
      given.replace('@app/auth', '@sluice/service/auth'),
      ['@sluice/service/auth', 'kysely'],
    ]);
  });

  it('imports no file that is missing', () => {
    expect(() => link('libs/mail/src/a.js', "import './b';", modules, '.js')).toThrow(
      'libs/mail/src/a.js imports ./b, which is not there',
    );
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
