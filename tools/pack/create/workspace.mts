import { join } from 'node:path';
import workspace from '../../../package.json' with { type: 'json' };
import { version, versionsOf } from '../modules/versions.mts';

const nest = 'node_modules/@nestjs/cli/bin/nest.js';
/** The settings of development are in a file. */
const run = 'sluice run --env';
/** The start command. It caches compiled code, as the scripts in this workspace do. */
const start = `NODE_COMPILE_CACHE=node_modules/.cache/node exec ${run} ${nest} start --no-shell`;
const prettier = 'sluice run node_modules/prettier/bin/prettier.cjs';

/** The packages that workspace sources import. */
const dependencies = [
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

/** The packages that build, test and format a workspace. */
const devDependencies = [
  '@nestjs/cli',
  '@nestjs/testing',
  '@seriousme/openapi-schema-validator',
  '@swc/cli',
  '@swc/core',
  '@types/node',
  'ajv',
  'ajv-formats',
  'fast-check',
  'fork-ts-checker-webpack-plugin',
  'prettier',
  'tsconfig-paths-webpack-plugin',
  'typescript',
  'vitest',
  'webpack',
  'webpack-node-externals',
];

/** The `package.json` of a created workspace, without its name. Messages from the libs refer to its script names. */
export const manifest = {
  version: '0.1.0',
  private: true,
  engines: workspace.engines,
  scripts: {
    start,
    'start:dev': `RESPONSE_CHECK=\${RESPONSE_CHECK:-1} ${start} --watch`,
    'start:prod': `exec ${run} dist/apps/api/main.js`,
    build: `sluice run ${nest} build`,
    test: 'sluice run node_modules/vitest/vitest.mjs run',
    types: 'sluice run node_modules/typescript/bin/tsc -p tsconfig.check.json',
    format: `${prettier} --write .`,
    'format:check': `${prettier} --check .`,
    generate: 'sluice generate',
    'contract:check': 'sluice check',
    routes: 'sluice routes',
    pack: 'sluice pack',
    attack: 'sluice attack',
    drill: 'sluice drill',
    seed: 'sluice seed',
    migrate: 'sluice migrate',
    backup: 'sluice backup',
    restore: 'sluice restore',
    'check-store': 'sluice check-store',
    keys: 'sluice keys',
    'audit:check': 'sluice audit',
    'admin:reset': 'sluice admin-reset',
    new: 'sluice new',
  },
  dependencies: { '@sluice/service': version, ...versionsOf(dependencies) },
  devDependencies: { '@sluice/cli': version, ...versionsOf(devDependencies) },
  overrides: workspace.overrides,
};

/** The folder with the files that `create-sluice` writes besides `package.json`. */
export const template = join(import.meta.dirname, 'template');
