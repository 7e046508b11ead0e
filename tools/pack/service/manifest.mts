import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import workspace from '../../../package.json' with { type: 'json' };
import type { Imported } from '../modules/compile.mts';
import { license, version, versionsOf } from '../modules/versions.mts';

/** The client is a package of its own. */
const libs = readdirSync(join(import.meta.dirname, '../../../libs'))
  .filter((name) => !['client', 'service'].includes(name))
  .toSorted();

/** The modules by subpath. The libs have their own names, as `@app/<lib>` in this workspace. */
export const subpaths: Readonly<Record<string, string>> = {
  '.': 'libs/service/src/index',
  ...Object.fromEntries(libs.map((name) => [`./${name}`, `libs/${name}/src/index`])),
  './testing': 'libs/service/testing/index',
  './contract/testing': 'libs/contract/testing/index',
  './mail/testing': 'libs/mail/testing/index',
};

/** The test helpers that read this workspace's sources. */
export const withoutHelpers = ['./spawn-program'];

/** The packages that a program shares objects with, so that each exists once. */
const shared = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  'class-transformer',
  'class-validator',
  'fastify',
  'kysely',
  'reflect-metadata',
  'rxjs',
];

/** The packages that are loaded by name, so that no import shows them. */
const loadedByName = ['@node-rs/argon2', 'swagger-ui-dist'];

/**
 * Returns the `package.json` of the package. Users of the test helpers install the packages that only these helpers import.
 *
 * @param imported the packages that the modules import
 */
export function manifestOf(imported: Imported) {
  const own = [...imported].filter(([name]) => !shared.includes(name));
  const isOfTests = ([, importers]: (typeof own)[number]) =>
    importers.every((path) => path.includes('/testing/'));
  const [helpers, needed] = [own.filter(isOfTests), own.filter((dependency) => !isOfTests(dependency))].map(
    (some) => some.map(([name]) => name),
  );
  return {
    name: '@sluice/service',
    version,
    description: workspace.description,
    license,
    author: 'The Sluice authors',
    publishConfig: { access: 'public', provenance: true },
    type: 'module',
    engines: workspace.engines,
    exports: {
      ...Object.fromEntries(
        Object.entries(subpaths).map(([subpath, file]) => [
          subpath,
          { types: `./${file}.d.ts`, default: `./${file}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    dependencies: versionsOf([...needed, ...loadedByName]),
    peerDependencies: { ...versionsOf(shared, '^'), ...versionsOf(helpers, '^') },
    peerDependenciesMeta: Object.fromEntries(helpers.map((name) => [name, { optional: true }])),
  };
}
