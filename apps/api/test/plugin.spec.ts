import { accounts, AuditLog } from '@app/accounts';
import { acrossTenants, Database, type JobRunner, jobToken } from '@app/persistence';
import {
  defineProgram,
  describeRoutes,
  describeTenantExceptions,
  type Plugin,
  readProgramSettings,
  runCommand,
  schemasOf,
  settingsPage,
} from '@app/service';
import { routeLines, exposureOf } from '@app/contract';
import { bootProgram, newEmail } from '@app/service/testing';
import { z } from 'zod';
import { loyalty, stampReport } from '../testing/loyalty.plugin';

const password = 'correct horse battery staple';

const program = defineProgram({ name: 'shop', plugins: [loyalty, accounts()] });

describe('a plugin that a program lists', () => {
  const shop = bootProgram({ ...program, env: { CARD_SIZE: '5' } });

  async function signUp(prefix: string, firstName?: string) {
    const email = `${prefix}${newEmail()}`;
    const { headers } = await shop().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    const db = shop.app().get(Database, { strict: false });
    if (firstName) await db.updateTable('account').set({ firstName }).where('id', '=', id).execute();
    return { id, email };
  }

  it('adds a route, a table, a provider with its setting, and a hook of the server', async () => {
    const { email } = await signUp('member-');
    const client = await shop().signIn(email, password);
    const { status, json, headers } = await client.post('/cards/current/stamps', {});
    expect([status, json]).toEqual([201, { stamps: 1, size: 5 }]);
    expect(headers.get('x-loyalty')).toBe('on');
  });

  it('adds a requirement of routes, which the guard checks', async () => {
    const { email } = await signUp('');
    const client = await shop().signIn(email, password);
    const { status, json } = await client.post('/cards/current/stamps', {});
    expect([status, json.message]).toEqual([403, 'members only']);
  });

  it('adds a strategy', async () => {
    const terminal = shop().with({ 'x-terminal': 'till-1' });
    expect((await terminal.get('/cards/terminal')).json).toEqual({ stamps: 0, size: 5 });
    expect((await shop().get('/cards/terminal')).status).toBe(401);
  });

  it('adds a factor of sign-ins', async () => {
    const { email } = await signUp('member-', 'Ada');
    const pending = await shop().post('/auth/sessions', { username: email, password });
    expect([pending.status, pending.json.factors]).toEqual([200, ['card']]);
    const proof = { mfa_token: pending.json.mfa_token, factor: 'card', code: 'card-42' };
    const complete = await shop().post('/auth/sessions/complete', proof);
    expect([complete.status, typeof complete.json.access_token]).toEqual([201, 'string']);
  });

  it('adds a list to the export, and kinds to the audit log', async () => {
    const { id, email } = await signUp('member-');
    const client = await shop().signIn(email, password);
    await client.post('/cards/current/stamps', {});
    const { json } = await client.get('/users/me/export');
    expect(json.stamps).toEqual([{ id: expect.any(Number), createdAt: expect.any(String) }]);
    const events = await shop
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 1, offset: 0 }, { accountId: id });
    expect(events.map(({ kind }) => kind)).toEqual(['account-exported']);
    const stamped = await shop
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 10, offset: 0 }, { kind: 'card-stamped', accountId: id });
    expect(stamped).toHaveLength(1);
  });

  it('adds a job, which one program on the database runs at a time', async () => {
    const { email, id } = await signUp('member-');
    const client = await shop().signIn(email, password);
    await client.post('/cards/current/stamps', {});
    const db = shop.app().get(Database, { strict: false });
    await db
      .updateTable('stamp')
      .set({ createdAt: new Date(-1) })
      .where('accountId', '=', id)
      .execute();
    const job: JobRunner = shop.app().get(jobToken('old-stamps'), { strict: false });
    await job.run();
    const left = await db.selectFrom('stamp').select('id').where('accountId', '=', id).execute();
    expect(left).toEqual([]);
  });

  it('adds a check of the health', async () => {
    const { status, json } = await shop().get('/health/ready');
    expect([status, json]).toEqual([
      200,
      { status: 'ok', checks: { store: 'ok', writes: true, cards: 'ok' } },
    ]);
  });

  it('has its migrations under its own name', async () => {
    const { all } = schemasOf(program);
    expect(all.map(({ owner }) => owner)).toEqual(['mail', 'accounts', 'service', 'loyalty']);
  });

  it('adds a command', async () => {
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await runCommand(['--help'], { commands: program.commands });
      expect(printed.mock.calls.join('')).toContain('stamps:count');
    } finally {
      printed.mockRestore();
    }
  });

  it('is in the document, the lock, the list of routes, and the page of settings', async () => {
    const { json } = await shop().get('/openapi.json');
    const operation = json.paths['/cards/current/stamps'].post;
    expect(operation.description).toContain('403 unless the caller is a member of the shop.');
    expect(json.components.securitySchemes.terminal).toMatchObject({ type: 'apiKey', name: 'X-Terminal' });
    const routes = describeRoutes(shop.app());
    expect(JSON.stringify(exposureOf(routes))).toContain('needsMember');
    expect(JSON.stringify(routeLines(routes, () => 'compiled'))).toMatch(/cards\/current\/stamps[^}]*member/);
    expect(settingsPage(program.declarations)).toContain('`CARD_SIZE`');
    expect(readProgramSettings(program, { CARD_SIZE: '7' }).CARD_SIZE).toBe(7);
  });
});

describe('a reason for statements on the rows of all tenants', () => {
  const shop = bootProgram({ ...program, env: { CARD_SIZE: '5' } });

  it('is in the lock if a plugin lists it, and is refused otherwise', () => {
    const reasons = describeTenantExceptions(shop.app());
    const db = shop.app().get(Database, { strict: false });

    expect(reasons).toEqual(['counts the stamps of every shop']);
    expect(exposureOf([], undefined, reasons)).toMatchObject({ acrossTenants: { reasons } });
    expect(db.acrossTenants(stampReport).isTransaction).toBe(false);
    expect(() => db.acrossTenants(acrossTenants('is not listed'))).toThrow('add it to its acrossTenants');
  });
});

describe('a program whose plugin does not work', () => {
  const shop = bootProgram({ ...program, env: { CARD_SIZE: '60' } });

  it('is not ready', async () => {
    const { status, json } = await shop().get('/health');
    expect([status, json.status, json.checks.cards]).toEqual([503, 'unavailable', 'unavailable']);
  });
});

describe('the plugins of a program', () => {
  const named = (name: string, plugin: Partial<Plugin> = {}) =>
    defineProgram({ name: 'shop', plugins: [loyalty, { ...plugin, name }] });

  it.each<[what: string, define: () => unknown, message: string]>([
    [
      'a name',
      () => named('loyalty'),
      'two plugins have the name loyalty: remove one of them from the program',
    ],
    [
      'a setting',
      () => named('other', { settings: loyalty.settings }),
      'the plugins loyalty and other declare the setting CARD_SIZE',
    ],
    [
      'a setting of every program',
      () => named('other', { settings: { PORT: z.string() } }),
      'the plugins service and other declare the setting PORT',
    ],
    [
      'a command of every program',
      () =>
        named('other', { commands: loyalty.commands?.map((command) => ({ ...command, name: 'migrate' })) }),
      'the plugins service and other declare the command migrate',
    ],
    [
      'a check of every program',
      () => named('other', { health: loyalty.health?.map((check) => ({ ...check, name: 'store' })) }),
      'the plugins service and other declare the health check store',
    ],
    [
      'an audit kind of every program',
      () => named('other', { auditKinds: ['sign-in'] }),
      'the plugins service and other declare the audit kind sign-in',
    ],
    [
      'a factor of every program',
      () => named('other', { factors: loyalty.factors?.map((factor) => ({ ...factor, kind: 'password' })) }),
      'the plugins service and other declare the factor password',
    ],
    [
      'a table of every program',
      () => named('other', { tables: loyalty.tables?.map((table) => ({ ...table, name: 'account' })) }),
      'the plugins service and other declare the table account',
    ],
    [
      'a table',
      () => named('other', { tables: loyalty.tables }),
      'the plugins loyalty and other declare the table stamp',
    ],
    [
      'a factor',
      () => named('other', { factors: loyalty.factors }),
      'the plugins loyalty and other declare the factor card',
    ],
    [
      'a strategy',
      () => named('other', { strategies: loyalty.strategies }),
      'the plugins loyalty and other declare the strategy terminal',
    ],
    [
      'a facet',
      () => named('other', { facets: loyalty.facets }),
      'the plugins loyalty and other declare the facet @Member()',
    ],
    [
      'a command',
      () => named('other', { commands: loyalty.commands }),
      'the plugins loyalty and other declare the command stamps:count',
    ],
    [
      'a list of the export',
      () => named('other', { exports: loyalty.exports }),
      'the plugins loyalty and other declare the export part stamps',
    ],
    [
      'a module route',
      () =>
        defineProgram({
          name: 'shop',
          plugins: ['a', 'b'].map((name) => ({ name, moduleRoutes: { '/board': 'public' as const } })),
        }),
      'the plugins a and b declare the module route /board',
    ],
    [
      'an audit kind',
      () => named('other', { auditKinds: loyalty.auditKinds }),
      'the plugins loyalty and other declare the audit kind card-stamped',
    ],
  ])('do not share %s', (_what, define, message) => {
    expect(define).toThrow(message);
  });

  it('do not provide for one another', () => {
    const settings = readProgramSettings(program, {});
    const twice = named('other', {
      providers: (read) => loyalty.providers?.({ CARD_SIZE: 1, ...read }) ?? [],
    });
    expect(() => twice.module(settings)).toThrow('the plugins loyalty and other provide StampsStore');
  });
});
