import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json';
import layout from './layout/layout.json';
import { holds, modules } from './layout/holds';
import { readModule } from './layout/read-modules';
import {
  declarePackages,
  haveNoCycle,
  haveOneIndex,
  importTheIndex,
  keepApplicationsApart,
  keepBelowCeilings,
  keepFoldersApart,
  keepHelpersToTests,
  keepMembersPrivate,
  keepNestOnTop,
  keepScriptsBelow,
  keepToListedImports,
  importNestInItsFiles,
  issueMembershipsInGuards,
  listInternals,
  listWhatIsImported,
  nameEachExport,
  pointDown,
  areInOneLayer,
  useNoIndexInside,
  writeNoCode,
  type Layers,
  type LibraryImports,
} from './layout/rules';

const layers: Layers = layout.layers;
const imports: LibraryImports = { ...layout.imports, ...layout.tools };
const [libraries = [], tools = []] = ['../libs', '../tools'].map((path) =>
  readdirSync(join(__dirname, path)),
);

describe('the layout', () => {
  it('has all source files', () => {
    const paths = modules.map(({ path }) => path);
    const projects = [...libraries.map((name) => `libs/${name}/`), ...tools.map((name) => `tools/${name}/`)];
    const folders = [...projects, 'apps/api/', 'apps/admin/', 'scripts/'];
    expect(folders.filter((folder) => !paths.some((path) => path.startsWith(folder)))).toEqual([]);
    expect(modules.length).toBeGreaterThan(200);
    expect(modules.flatMap((module) => module.imports).length).toBeGreaterThan(700);
  });

  it('has a layer for each library', () => {
    expect(areInOneLayer(layers, libraries)).toEqual([]);
    expect(areInOneLayer({ runtime: ['a'], foundation: ['a', 'b'] }, ['a', 'c'])).toEqual([
      'libs/a is in no layer of test/layout/layout.json, or in several',
      'libs/c is in no layer of test/layout/layout.json, or in several',
      'there is no libs/b',
    ]);
  });

  it('lists what each tool imports', () => {
    expect(Object.keys(layout.tools).toSorted()).toEqual(tools.toSorted());
  });

  it('lists imports between libraries and tools that point down', () => {
    expect(pointDown(layers, imports)).toEqual([]);
    expect(pointDown({ top: ['a'], low: ['b'] }, { a: ['b'], b: ['a'] })).toEqual([
      'a imports b, which is not below it',
      'b imports a, which is not below it',
    ]);
    expect(pointDown({ one: ['a', 'b'] }, { a: ['b'], b: [] })).toEqual([]);
  });

  it('keeps each library and tool below its ceiling of lines, which only falls', () => {
    expect(keepBelowCeilings(layout.ceilings, modules)).toEqual([]);
    const files = {
      'libs/auth/src/a.ts': 'one\ntwo\n',
      'libs/auth/src/a.spec.ts': 'one\n',
      'libs/auth/testing/a.ts': 'one\n',
      'libs/mail/src/a.ts': 'one\n',
      'tools/attack/a.mts': 'one\n',
      'apps/api/src/a.ts': 'one\n',
    };
    const read = Object.entries(files).map(([path, text]) => readModule(path, text));
    expect(keepBelowCeilings({ 'libs/auth': 1, 'libs/mail': 500 }, read)).toEqual([
      'libs/auth has 2 lines, and its ceiling is 1: delete code',
      'libs/mail has 1 lines: lower its ceiling of 500 in test/layout/layout.json',
      'tools/attack has no ceiling: add 1 to test/layout/layout.json',
    ]);
    expect(keepBelowCeilings({ 'libs/auth': 2, 'libs/mail': 1, 'tools/attack': 1 }, read)).toEqual([]);
  });

  it('lists no unused import', () => {
    expect(listWhatIsImported(imports, modules)).toEqual([]);
    expect(listWhatIsImported({ auth: ['client'] }, modules)).toEqual([
      'auth → client is listed, and nothing imports it',
    ]);
  });

  holds('libraries and tools import what is listed for them', keepToListedImports(imports), {
    breaking: {
      'libs/persistence/src/a.ts': `import { AuthModule } from '@app/auth'`,
      'libs/auth/src/a.ts': `import type { Page } from '@app/contract'`,
      'libs/auth/src/b.spec.ts': `export { runProgram } from '@app/service'`,
      'tools/attack/a.mts': `import { runDrill } from '../drill/run.mts'`,
      'libs/auth/src/c.ts': `type Main = import('../../../apps/api/src/main').Main`,
    },
    keeping: {
      'apps/api/src/a.ts': `import { Users } from '@app/accounts'; import './b'`,
      'libs/accounts/src/a.ts': `import { Database } from '@app/persistence'`,
      'test/a.spec.ts': `import { tellStories } from '../apps/api/test/stories'`,
    },
  });

  holds('applications do not import each other', keepApplicationsApart, {
    breaking: { 'apps/api/src/a.ts': `import('../../admin/src/app.module')` },
    keeping: { 'apps/api/src/a.ts': `import { Users } from '@app/accounts'` },
  });

  holds('no file imports itself, directly or through other files', haveNoCycle, {
    breaking: { 'libs/auth/src/a.ts': `import type { A } from './a'` },
    keeping: {
      'libs/auth/src/a.ts': `import './b'; import './c'`,
      'libs/auth/src/b.ts': `import './c'`,
      'libs/auth/src/c.ts': '',
    },
  });

  it('finds an import cycle over several files', () => {
    const circle = {
      'libs/auth/src/a.ts': `import './b'`,
      'libs/auth/src/b.ts': `import type { C } from './c'`,
      'libs/auth/src/c.ts': `export { a } from './a'`,
    };
    const files = Object.entries(circle).map(([path, text]) => readModule(path, text));
    expect(haveNoCycle(files)).toEqual([
      'libs/auth/src/a.ts → libs/auth/src/b.ts → libs/auth/src/c.ts → libs/auth/src/a.ts',
    ]);
  });

  holds('a project is imported by its index', importTheIndex, {
    breaking: {
      'apps/api/src/a.ts': `import { compile } from '@app/engine/compile'`,
      'apps/api/src/b.ts': `import { compile } from '../../../libs/engine/src/validation/compile'`,
    },
    keeping: { 'apps/api/src/a.spec.ts': `import { forge } from '@app/auth/testing'` },
  });

  holds('test helpers are for tests', keepHelpersToTests, {
    breaking: {
      'apps/api/src/a.ts': `import { forge } from '@app/auth/testing'`,
      'libs/auth/src/a.ts': `import { forge } from '../testing/forge'`,
    },
    keeping: {
      'libs/auth/testing/index.ts': `export { forge } from './forge'`,
      'tools/fuzz/auth.mts': `import { forge } from '../../libs/auth/testing/forge'`,
      'tools/drill/a.mts': `import { forge } from '../../libs/auth/testing/forge'`,
    },
  });

  holds('scripts import no tool', keepScriptsBelow, {
    breaking: { 'scripts/a.mts': `import { attack } from '../tools/attack/run.mts'` },
    keeping: { 'tools/attack/a.mts': `import { root } from '../../scripts/workspace.mts'` },
  });

  holds('only files with a suffix of Nest import NestJS', importNestInItsFiles(layout.nest), {
    breaking: {
      'libs/auth/src/tokens/a.ts': `import type { Type } from '@nestjs/common'`,
      'libs/auth/src/tokens/b.ts': `import { Injectable, Logger } from '@nestjs/common'`,
    },
    keeping: {
      'libs/auth/src/a.module.ts': `import { Module } from '@nestjs/common'`,
      'libs/auth/src/a.ts': `import { Inject, Injectable } from '@nestjs/common'`,
      'libs/auth/src/a.spec.ts': `import { Test } from '@nestjs/testing'`,
      'apps/api/src/a.ts': `import { Module } from '@nestjs/common'`,
    },
  });

  holds('plain files do not import them', keepNestOnTop(layout.nest), {
    breaking: { 'libs/auth/src/a.ts': `import { AuthGuard } from './auth.guard'` },
    keeping: {
      'libs/auth/src/index.ts': `export { AuthGuard } from './auth.guard'`,
      'libs/auth/src/a.module.ts': `import { AuthGuard } from './auth.guard'`,
    },
  });

  holds('guards and jobs issue memberships', issueMembershipsInGuards, {
    breaking: {
      'apps/api/src/a.controller.ts': `import { issueMembership } from '@app/persistence'`,
      'libs/auth/src/b.ts': `import { issueMembership as issue } from '@app/persistence'`,
    },
    keeping: {
      'libs/organizations/src/member.guard.ts': `import { issueMembership } from '@app/persistence'`,
      'apps/api/src/sweep.job.ts': `import { issueMembership } from '@app/persistence'`,
      'apps/api/src/a.spec.ts': `import { issueMembership } from '@app/persistence'`,
      'apps/api/src/a.controller.ts': `import { type Membership } from '@app/persistence'`,
    },
  });

  it('has folders that import in one direction', () => {
    expect(keepFoldersApart(modules)).toEqual([]);
    const circle = {
      'libs/auth/src/a/one.ts': `import '../b/two'`,
      'libs/auth/src/b/two.ts': `import '../c/three'; import '../loose'`,
      'libs/auth/src/c/three.ts': `import '../a/four'`,
      'libs/auth/src/loose.ts': `import './d/five'`,
      'libs/auth/src/d/five.ts': `import '../loose'; import '../a/one'`,
      'tools/attack/checks/a.mts': `import '../wire/b.mts'; import '../run.mts'`,
      'tools/attack/wire/b.mts': `import '../checks/c.mts'`,
    };
    const files = Object.entries(circle).map(([path, text]) => readModule(path, text));
    expect(keepFoldersApart(files)).toEqual([
      'libs/auth/src/a imports libs/auth/src/b, which leads back to it: libs/auth/src/a/one.ts',
      'libs/auth/src/b imports libs/auth/src/c, which leads back to it: libs/auth/src/b/two.ts',
      'libs/auth/src/c imports libs/auth/src/a, which leads back to it: libs/auth/src/c/three.ts',
      'tools/attack/checks imports tools/attack/wire, which leads back to it: tools/attack/checks/a.mts',
      'tools/attack/wire imports tools/attack/checks, which leads back to it: tools/attack/wire/b.mts',
    ]);
  });

  holds('no file of a library imports its index', useNoIndexInside, {
    breaking: {
      'libs/auth/src/guard/a.ts': `import { verify } from '../index'`,
      'libs/auth/src/b.spec.ts': `import { verify } from '@app/auth'`,
      'libs/auth/testing/c.ts': `import { forge } from './index'`,
      'libs/engine/src/a.ts': `import { validate } from './index'`,
    },
    keeping: {
      'libs/accounts/src/a.ts': `import { verify } from '@app/auth'`,
      'libs/service/testing/programs/a.main.ts': `import { runProgram } from '@app/service'`,
      'libs/engine/src/a.spec.ts': `import { validate } from './index'`,
    },
  });

  holds('a library has one index', haveOneIndex, {
    breaking: { 'libs/auth/src/tokens/index.ts': '', 'apps/api/src/posts/index.ts': '' },
    keeping: { 'libs/auth/src/index.ts': '', 'libs/auth/testing/index.ts': '' },
  });

  holds('an index lists names one by one', nameEachExport, {
    breaking: { 'libs/auth/src/index.ts': `export * from './errors'` },
    keeping: {
      'libs/auth/src/index.ts': `export { AuthError, type Answer } from './errors'`,
      'libs/engine/src/index.ts': `export * from 'class-validator'`,
      'libs/client/src/index.ts': `export type * from './schemas'`,
    },
  });

  holds('text does not become code', writeNoCode, {
    breaking: {
      'libs/auth/src/a.ts': `const add = new Function('a', 'b', 'return a + b')`,
      'scripts/b.mts': `eval(text)`,
    },
    keeping: {
      'libs/auth/src/a.ts': `const text = 'new Function()'; const isIt = f instanceof Function`,
      'libs/engine/src/shapes/code/assemble.ts': `const made = new Function(...names, body)`,
    },
  });

  it('lists at most five files that use private parts of Node.js, V8, NestJS or Fastify', () => {
    const internals = modules.map(({ path }) => path).filter((path) => path.endsWith('.internals.ts'));
    expect(internals.toSorted()).toEqual(layout.internals.toSorted());
    expect(internals.length).toBeLessThanOrEqual(5);
  });

  holds('other files use public interfaces', listInternals(layout.internals), {
    breaking: {
      'libs/auth/src/a.ts': `const { _handle: handle } = server`,
      'libs/auth/src/b.ts': `Reflect.get(app, 'routesResolver')`,
      'libs/auth/src/c.ts': `import symbols from 'fastify/lib/symbols.js'`,
      'apps/api/src/d.ts': `v8.setFlagsFromString('--expose-gc')`,
      'libs/auth/src/e.ts': `reply._storeHeader('')`,
    },
    keeping: {
      'libs/auth/src/a.ts': `import { PATH_METADATA } from '@nestjs/common/internal'; const [_first, b] = pair`,
    },
  });

  holds('members are private', keepMembersPrivate, {
    breaking: { 'libs/auth/src/a.ts': `class A { #b = 1; c() { return this.#b; } }` },
    keeping: {
      'libs/auth/src/a.ts': `class A { private b = 1; } const text = '#b'`,
      'libs/auth/src/a.spec.ts': `class A { #b = 1; c() { return this.#b; } }`,
      'libs/client/src/session.ts': `class A { #b = 1; c() { return this.#b; } }`,
    },
  });

  holds('every package is declared', declarePackages(manifest), {
    breaking: {
      'apps/api/src/a.ts': `import lodash from 'lodash/fp'`,
      'apps/api/src/b.ts': `import { it } from 'vitest'`,
      'libs/auth/src/c.ts': `import fs = require('fs')`,
      'libs/auth/src/d.ts': `require.resolve('@nestjs/graphql')`,
    },
    keeping: {
      'apps/api/src/a.ts': `import pg from 'pg'; import { join } from 'node:path'; import './b'`,
      'apps/api/src/a.spec.ts': `import { it } from 'vitest'`,
    },
  });
});
