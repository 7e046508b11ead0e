import { ApiKeys } from '@app/accounts';
import { InsufficientScopeError } from '@app/auth';
import { Database } from '@app/persistence';
import { type Client, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const unauthorized = '{"statusCode":401,"message":"Unauthorized"}';

describe('keys', () => {
  const api = bootApi();
  const withKey = (key: string) => api().with({ 'x-api-key': key });
  const make = async (client: Client, name = 'a robot') =>
    (await client.post('/auth/api-keys', { name })).json;
  const rowOf = (accountId: number, id: number) =>
    api.app().get(ApiKeys, { strict: false }).find(accountId, id);

  async function accountOf(client: Client): Promise<number> {
    return (await client.get('/auth/profile')).json.userId;
  }

  async function change(id: number, columns: { role?: 'admin'; disabledAt?: Date }): Promise<void> {
    const db = api.app().get(Database, { strict: false });
    await db.updateTable('account').set(columns).where('id', '=', id).execute();
  }

  it('are returned in full once, at creation', async () => {
    const user = await api.newcomer();
    const created = await user.post('/auth/api-keys', { name: 'a robot' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/auth/api-keys/${created.json.id}`);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.json).toEqual({
      id: expect.any(Number),
      name: 'a robot',
      apiKey: expect.stringMatching(/^sluice_[\w-]{49}$/),
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
      scopes: null,
    });
    const { status, json } = await user.get(created.headers.get('location') ?? '');
    expect([status, json.apiKey]).toEqual([200, `sl***${created.json.apiKey.slice(-2)}`]);
  });

  it('are listed masked, to their owner only', async () => {
    const [user, stranger] = [await api.newcomer(), await api.newcomer()];
    const { id, apiKey, createdAt } = await make(user);
    const listed = await user.get('/auth/api-keys');
    expect(listed.json.items).toEqual([
      {
        id,
        name: 'a robot',
        apiKey: `sl***${apiKey.slice(-2)}`,
        createdAt,
        lastUsedAt: null,
        expiresAt: null,
        scopes: null,
      },
    ]);
    expect(listed.text).not.toContain(apiKey);
    expect((await stranger.get('/auth/api-keys')).json.items).toEqual([]);
    expect((await stranger.get(`/auth/api-keys/${id}`)).status).toBe(404);
    expect((await stranger.delete(`/auth/api-keys/${id}`)).status).toBe(404);
  });

  it('are stored as a hash', async () => {
    const user = await api.newcomer();
    const { id, apiKey } = await make(user);
    const row = JSON.stringify(await rowOf(await accountOf(user), id));
    expect(row).not.toContain(apiKey);
    expect(row).not.toContain(apiKey.slice('sluice_'.length, -2));
  });

  it('authenticate on the routes that name them, and on no other', async () => {
    const { id, apiKey } = await make(await api.newcomer());
    expect((await withKey(apiKey).get('/auth/api-keys/current')).json.id).toBe(id);
    expect((await withKey(apiKey).get('/items')).status).toBe(200);
    for (const path of ['/auth/profile', '/orders', '/auth/api-keys', `/auth/api-keys/${id}`, '/users/me']) {
      expect((await withKey(apiKey).get(path)).text).toBe(unauthorized);
    }
    expect((await withKey(apiKey).post('/auth/api-keys', { name: 'another' })).text).toBe(unauthorized);
  });

  it('do not replace tokens on routes of both, and exclude them on routes of keys only', async () => {
    const user = await api.newcomer();
    expect((await user.get('/items')).status).toBe(200);
    expect((await user.get('/auth/api-keys/current')).text).toBe(unauthorized);
  });

  it('have the permissions of their account', async () => {
    const user = await api.newcomer();
    const { apiKey } = await make(user);
    const item = { sku: `by-key-${Date.now()}`, name: 'a thing', price: 1 };
    expect((await withKey(apiKey).post('/items', item)).status).toBe(403);
    await change(await accountOf(user), { role: 'admin' });
    expect((await withKey(apiKey).post('/items', item)).status).toBe(201);
  });

  it('are rejected with the same 401 for every cause', async () => {
    const { apiKey } = await make(await api.newcomer());
    const foreign = `sluice_${'A'.repeat(43)}vRLh4Q`;
    const wrong = ['', 'x', apiKey.slice(0, -1), `${apiKey}A`, apiKey.toUpperCase(), foreign, ` ${apiKey}x`];
    for (const key of [...wrong, `${apiKey},${apiKey}`, 'x'.repeat(8000), `Bearer ${apiKey}`]) {
      const { status, text, headers } = await withKey(key).get('/auth/api-keys/current');
      expect([status, text, headers.get('www-authenticate')]).toEqual([401, unauthorized, 'Bearer']);
    }
  });

  it('are rejected when the header is repeated', async () => {
    const { apiKey } = await make(await api.newcomer());
    const reply = await api.app().inject({
      url: '/auth/api-keys/current',
      headers: { 'x-api-key': [apiKey, apiKey] },
    });
    expect(reply.payload).toBe(unauthorized);
  });

  it('are revoked at once', async () => {
    const user = await api.newcomer();
    const { id, apiKey } = await make(user);
    expect((await user.delete(`/auth/api-keys/${id}`)).status).toBe(204);
    expect((await withKey(apiKey).get('/items')).text).toBe(unauthorized);
    expect((await user.delete(`/auth/api-keys/${id}`)).status).toBe(404);
  });

  it('end with their account, and are rejected while it is disabled', async () => {
    const user = await api.newcomer();
    const { apiKey } = await make(user);
    const id = await accountOf(user);
    await change(id, { disabledAt: new Date() });
    expect((await withKey(apiKey).get('/items')).status).toBe(403);
    const db = api.app().get(Database, { strict: false });
    await db.deleteFrom('account').where('id', '=', id).execute();
    expect((await withKey(apiKey).get('/items')).text).toBe(unauthorized);
  });

  it('are at most a hundred per account', async () => {
    const [user, stranger] = [await api.newcomer(), await api.newcomer()];
    const ids = [];
    for (let count = 0; count < 100; count += 1) ids.push((await make(user)).id);
    expect((await user.post('/auth/api-keys', { name: 'one more' })).status).toBe(409);
    expect((await stranger.post('/auth/api-keys', { name: 'a robot' })).status).toBe(201);
    await user.delete(`/auth/api-keys/${ids[0]}`);
    expect((await user.post('/auth/api-keys', { name: 'one more' })).status).toBe(201);
  });

  it('expire when their owner said', async () => {
    const user = await api.newcomer();
    const created = (await user.post('/auth/api-keys', { name: 'a robot', expiresInDays: 7 })).json;
    const [createdAt, week] = [Date.parse(created.createdAt), 7 * 86_400_000];
    expect(Date.parse(created.expiresAt)).toBe(createdAt + week);
    vi.useFakeTimers({ toFake: ['Date'], now: createdAt + week - 1 });
    expect((await withKey(created.apiKey).get('/items')).status).toBe(200);
    vi.setSystemTime(createdAt + week);
    expect((await withKey(created.apiKey).get('/items')).text).toBe(unauthorized);
    vi.useRealTimers();
    const keys = api.app().get(ApiKeys, { strict: false });
    expect(await keys.deleteExpired(new Date(createdAt + week), 500)).toBe(0);
    expect(await keys.deleteExpired(new Date(createdAt + week + 1), 500)).toBe(1);
  });

  it.each([0, 3651, 1.5, '7', null])('do not expire after %j days', async (expiresInDays) => {
    const user = await api.newcomer();
    expect((await user.post('/auth/api-keys', { name: 'a robot', expiresInDays })).status).toBe(400);
  });

  it('are restricted to the scopes that their owner chose', async () => {
    const user = await api.newcomer();
    await change(await accountOf(user), { role: 'admin' });
    const restricted = async (...scopes: string[]) => {
      const created = await user.post('/auth/api-keys', { name: 'a robot', scopes });
      expect([created.status, created.json.scopes]).toEqual([201, scopes]);
      return withKey(created.json.apiKey);
    };
    const [reader, ofItems, writer] = [
      await restricted('read'),
      await restricted('items:read'),
      await restricted('write'),
    ];
    const item = () => ({ sku: newEmail(), name: 'a thing', price: 1 });
    expect(
      (await user.post('/auth/api-keys', { name: 'a robot', scopes: ['read', 'read'] })).json.scopes,
    ).toEqual(['read']);
    expect([(await reader.get('/items')).status, (await ofItems.get('/items')).status]).toEqual([200, 200]);
    expect((await writer.get('/items')).json).toEqual({
      statusCode: 403,
      message: 'the scope items:read is needed',
      error: 'Forbidden',
    });
    expect((await ofItems.post('/items', item())).json.message).toBe('the scope items:write is needed');
    expect((await writer.post('/items', item())).status).toBe(201);
    expect((await ofItems.get('/auth/api-keys/current')).json.scopes).toEqual(['items:read']);
    const listed = (await user.get('/auth/api-keys')).json.items;
    expect(listed.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([
      ['read'],
      ['items:read'],
      ['write'],
      ['read'],
    ]);
  });

  it.each([[[]], [['items:delete']], ['read'], [null]])(
    'are not restricted to the scopes %j',
    async (scopes) => {
      const user = await api.newcomer();
      expect((await user.post('/auth/api-keys', { name: 'a robot', scopes })).status).toBe(400);
    },
  );

  it('make no key with more scopes than their own', async () => {
    const userId = await accountOf(await api.newcomer());
    const keys = api.app().get(ApiKeys, { strict: false });
    const createKey = (ownScopes: string[] | undefined, scopes?: string[]) =>
      keys.create({ userId, scopes: ownScopes }, { name: 'a robot', scopes });
    expect((await createKey(['read', 'items:write'], ['items:read', 'items:write'])).row.scopes).toBe(
      'items:read items:write',
    );
    expect((await createKey(['items:read'])).row.scopes).toBe('items:read');
    expect((await createKey(undefined)).row.scopes).toBeNull();
    await expect(createKey(['items:read'], ['items:read', 'read'])).rejects.toThrow(InsufficientScopeError);
    await expect(createKey(['read'], ['write'])).rejects.toThrow(InsufficientScopeError);
  });

  it('need a name', async () => {
    const user = await api.newcomer();
    expect((await user.post('/auth/api-keys', { name: '' })).status).toBe(400);
    expect((await user.post('/auth/api-keys', { name: 'x'.repeat(101) })).status).toBe(400);
    expect((await user.post('/auth/api-keys', {})).status).toBe(400);
  });
});

describe('the last use of a key', () => {
  const api = bootApi();
  const start = new Date('2026-03-01T12:00:30.000Z');
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());

  async function makeKey() {
    const user = await api.newcomer();
    const { id, apiKey } = (await user.post('/auth/api-keys', { name: 'a robot' })).json;
    const db = api.app().get(Database, { strict: false });
    const usedAfter = async (seconds: number) => {
      vi.setSystemTime(start.getTime() + seconds * 1000);
      expect((await api().with({ 'x-api-key': apiKey }).get('/items')).status).toBe(200);
      const { lastUsedAt } = await db
        .selectFrom('apiKey')
        .select('lastUsedAt')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return lastUsedAt && (lastUsedAt.getTime() - start.getTime()) / 1000;
    };
    return { id, db, usedAfter };
  }

  it('is recorded also after the clock was set back', async () => {
    const { usedAfter } = await makeKey();
    expect(await usedAfter(3600)).toBe(3600);
    expect(await usedAfter(-3600)).toBe(-3600);
  });

  it('is recorded at most once a minute, and once an hour in the audit log', async () => {
    const { id, db, usedAfter } = await makeKey();
    expect(await usedAfter(1)).toBe(1);
    expect(await usedAfter(60)).toBe(1);
    expect(await usedAfter(61)).toBe(61);
    expect(await usedAfter(3600)).toBe(3600);
    const events = await db.selectFrom('auditEvent').select(['kind', 'detail']).orderBy('id').execute();
    const detail = JSON.stringify({ keyId: id });
    expect(events.filter((event) => event.kind.startsWith('api-key-') && event.detail === detail)).toEqual([
      { kind: 'api-key-created', detail },
      { kind: 'api-key-used', detail },
      { kind: 'api-key-used', detail },
    ]);
  });
});
