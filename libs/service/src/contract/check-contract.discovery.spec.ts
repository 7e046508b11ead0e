import { readFileSync } from 'node:fs';
import { apiKeyStrategy, AuthModule, callerFaults, foreignFaults, Public } from '@app/auth';
import { audienceFaults, ContractError, inputFaults, Returns, routeFaults } from '@app/contract';
import { responseFaults } from '@app/engine';
import { PersistenceModule, type Queries } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Controller, Get, Patch, type Type } from '@nestjs/common';
import { brokenControllers } from '../../testing/broken.controllers';
import { APP_GUARD } from '@nestjs/core';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { startFailure } from '../program/start-failure';
import { ETag } from '../conditions/entity-tag.decorator';
import { IfMatch } from '../conditions/if-match.decorator';
import { Transaction } from '../routes/transaction.decorator';
import { createProgram } from '../program/create-program.bootstrap';

const file = 'libs/service/testing/broken.controllers.ts';

/** `SLUICE-C101 31`: the findings that the fixture expects, by line. */
function marked(): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const code = /\/\/ (SLUICE-C\d{3})$/.exec(text)?.[1];
    const isAlone = text.trimStart().startsWith('//');
    return code === undefined ? [] : [`${code} ${isAlone ? index : index + 1}`];
  });
}

const guarded = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: [
      apiKeyStrategy({ name: 'badge', check: () => undefined }),
      apiKeyStrategy({ name: 'scoped', hasScopes: true, check: () => undefined }),
      { name: 'opaque', authenticate: () => undefined },
    ],
    roles: ['user', 'admin'],
    scopes: ['items:read'],
  }),
});

let database: TemporaryDatabase;
beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());

async function faultsOf(controllers: readonly Type[], imports = [guarded]): Promise<ContractError> {
  class Root {}
  const store = PersistenceModule.forRoot({ url: database.url });
  const module = { module: Root, imports: [store, ...imports], controllers: [...controllers] };
  const settings = readSettings(serviceSettings, {});
  const error: unknown = await createProgram({ name: 'shop', module, settings }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ContractError) return error;
  throw new Error('the contract has no fault', { cause: error });
}

describe('a program whose contract has faults', () => {
  it('reports all of them at once, each with its code and its line', async () => {
    const { findings } = await faultsOf(brokenControllers);
    const reported = findings.map(({ code, at }) => `${code} ${at?.line}`);
    expect(reported.toSorted()).toEqual(marked().toSorted());
    expect(new Set(findings.map(({ at }) => at?.file))).toEqual(new Set([file]));
    expect(brokenControllers.length).toBeGreaterThanOrEqual(12);
  });

  it('reports what to do', async () => {
    const error = await faultsOf(brokenControllers.slice(0, 1));
    const line = marked()[0]?.replace('SLUICE-C101 ', '');
    expect(error.message).toBe(
      [
        '1 fault in the contract of shop',
        '',
        `SLUICE-C101  ${file}:${line}`,
        '  POST /unseen-body · UnseenBody.create',
        '  its body (parameter 1) has no class at run time',
        '  → Give the parameter a class, imported without "type"',
      ].join('\n'),
    );
    expect(startFailure('sluice shop', error)).toEqual([
      `sluice shop did not start: SLUICE-C101 ${file}:${line} UnseenBody.create: its body (parameter 1) has no class at run time. Give the parameter a class, imported without "type".`,
    ]);
  });

  it('says that a build which minifies must keep the names of classes', async () => {
    const { findings } = await faultsOf(brokenControllers.filter(({ name }) => name === 'Twin'));
    expect(findings).toMatchObject([
      { code: 'SLUICE-C404', remedy: expect.stringContaining('`keepNames` of esbuild') },
    ]);
  });

  it('does not start without authentication, unless every route is public', async () => {
    @Controller('closed')
    class Closed {
      @Get() @Returns('nothing') read() {}
    }
    const { findings } = await faultsOf([Closed], []);
    expect(findings).toMatchObject([
      { code: 'SLUICE-C301', handler: 'Closed.read', routes: ['GET /closed'] },
    ]);
  });

  it('does not start without a database, if a route needs one', async () => {
    @Controller('kept')
    @Public()
    class Kept {
      @Get() @ETag({ version: 'version' }) @Returns('anything') read(@Transaction() _db?: Queries) {}

      @Patch() @IfMatch('read') @Returns('nothing') change(@Transaction() _db?: Queries) {}
    }
    class Root {}
    const module = { module: Root, controllers: [Kept] };
    const started = createProgram({ name: 'shop', module, settings: readSettings(serviceSettings, {}) });
    await expect(started).rejects.toMatchObject({
      findings: [
        { code: 'SLUICE-C408', handler: 'Kept.change', problem: expect.stringContaining('no database') },
      ],
    });
  });

  it('does not report the metadata of another guard, which may read it', async () => {
    class OtherGuard {
      canActivate = () => true;
    }
    const ForeignRoles = brokenControllers.find(({ name }) => name === 'ForeignRoles');
    class Root {}
    const providers = [{ provide: APP_GUARD, useClass: OtherGuard }];
    const controllers = ForeignRoles ? [ForeignRoles] : [];
    const module = { module: Root, imports: [guarded], controllers, providers };
    const app = await createProgram({ name: 'shop', module, settings: readSettings(serviceSettings, {}) });
    expect(controllers).toHaveLength(1);
    await app.close();
  });

  it('uses no code that is not documented', async () => {
    const documented = Object.keys({
      ...inputFaults,
      ...responseFaults,
      ...audienceFaults,
      ...callerFaults,
      ...foreignFaults,
      ...routeFaults,
    });
    const { findings } = await faultsOf(brokenControllers);
    expect(findings.filter(({ code }) => !documented.includes(code))).toEqual([]);
  });
});
