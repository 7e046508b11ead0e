import { Database, type JobRunner, jobToken } from '@app/persistence';
import { type Client, newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const password = 'correct horse battery staple';

describe('the audit log', () => {
  const admin = bootAdmin({ env: { SIGN_IN_FAILURES: '2' } });

  async function newUser(operator: Client): Promise<{ id: number; email: string }> {
    const body = { email: newEmail(), password, firstName: 'Ada', lastName: 'Lovelace' };
    return (await operator.post('/users', body)).json;
  }

  async function kindsOf(operator: Client, accountId: number): Promise<string[]> {
    const { json } = await operator.get(`/audit?limit=100&accountId=${accountId}`);
    return json.items.map(({ kind }: { kind: string }) => kind);
  }

  it('lists the events of an account with actor and address, newest first', async () => {
    const operator = await admin.administrator();
    const { userId: actorId } = (await operator.get('/auth/profile')).json;
    const { id } = await newUser(operator);
    await operator.patch(`/users/${id}`, { role: 'admin' });
    await operator.patch(`/users/${id}`, { role: 'admin', disabled: true });
    await operator.patch(`/users/${id}`, { disabled: false });
    await operator.delete(`/users/${id}`);
    const { json } = await operator.get(`/audit?accountId=${id}`);
    const event = { accountId: id, actorId, ip: '127.0.0.1', detail: {} };
    expect(json.items).toMatchObject([
      { ...event, kind: 'account-deleted' },
      { ...event, kind: 'account-enabled' },
      { ...event, kind: 'account-disabled' },
      { ...event, kind: 'role-changed', detail: { role: 'admin' } },
      { ...event, kind: 'account-created', program: 'admin' },
    ]);
    expect(Object.keys(json.items[0])).toEqual([
      'id',
      'kind',
      'accountId',
      'actorId',
      'ip',
      'program',
      'detail',
      'createdAt',
      'block',
    ]);
  });

  it('lists sign-ins, failures and limits, without a password or a username as entered', async () => {
    const operator = await admin.administrator();
    const { id, email } = await newUser(operator);
    await admin().signIn(email, password);
    for (const guess of ['hunter2hunter2', 'hunter2hunter2']) {
      await admin().post('/auth/login', { username: email, password: guess });
    }
    await admin().post('/auth/login', { username: 'hunter2hunter2', password: 'hunter2hunter2' });
    expect(await kindsOf(operator, id)).toEqual([
      'sign-in-failed',
      'sign-in-failed',
      'sign-in',
      'account-created',
    ]);
    const all = await operator.get('/audit?limit=100');
    expect(all.text).not.toContain('hunter2');
    expect((await operator.get('/audit?kind=rate-limit-exceeded')).json.items).toMatchObject([
      { kind: 'rate-limit-exceeded', accountId: null, ip: '127.0.0.1', detail: { limit: 'account' } },
    ]);
  });

  it('shows operators why a sign-in failed', async () => {
    const operator = await admin.administrator();
    const { id, email } = await newUser(operator);
    await operator.patch(`/users/${id}`, { disabled: true });
    await admin().post('/auth/login', { username: email, password });
    const { json } = await operator.get(`/audit?accountId=${id}&kind=sign-in-failed`);
    expect(json.items).toMatchObject([{ detail: { reason: 'disabled' } }]);
  });

  it('has a 403 of the guard once a minute for each caller and error, with its number afterwards', async () => {
    const operator = await admin.administrator();
    const { id, email } = await newUser(operator);
    const user = await admin().signInFirst(email, password, 'a phrase that its owner chose');
    for (let times = 0; times < 20; times += 1) expect((await user.get('/users')).status).toBe(403);
    await vi.waitFor(async () => {
      const { json } = await operator.get(`/audit?accountId=${id}&kind=access-refused`);
      const detail = { code: 'forbidden', route: 'UsersController.list' };
      expect(json.items).toMatchObject([{ ip: '127.0.0.1', program: 'admin', detail }]);
    });
  });

  it('is paged, with links that keep the filters', async () => {
    const operator = await admin.administrator();
    const { id, email } = await newUser(operator);
    for (let count = 0; count < 5; count += 1) await admin().signIn(email, password);
    const pages: number[][] = [];
    let next: string | undefined = `/audit?accountId=${id}&kind=sign-in&limit=2`;
    while (next !== undefined) {
      const reply = await operator.get(next);
      pages.push(reply.json.items.map((event: { id: number }) => event.id));
      next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(pages.flat().toSorted((left, right) => right - left));
  });

  it('is for administrators only, and rejects an unknown kind', async () => {
    const operator = await admin.administrator();
    const { email } = await newUser(operator);
    expect((await admin().get('/audit')).status).toBe(401);
    expect((await (await admin().signIn(email, password)).get('/audit')).status).toBe(403);
    expect((await operator.get('/audit?kind=gossip')).status).toBe(400);
    expect((await operator.get('/audit?accountId=1e1')).status).toBe(400);
  });

  it('is exported as one JSON object on each line, which is recorded', async () => {
    const operator = await admin.administrator();
    const { id } = await newUser(operator);
    const { status, text, headers } = await operator.get('/audit/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ accountId }) => accountId === id)).toMatchObject([{ kind: 'account-created' }]);
    const recorded = (await operator.get('/audit?kind=audit-exported')).json.items[0];
    expect(recorded).toMatchObject({ detail: {}, ip: '127.0.0.1', program: 'admin' });
    const later = `from=${recorded.createdAt}`;
    const part = await operator.get(`/audit/export?${later}`);
    expect(part.text.split('\n').length).toBeLessThan(text.split('\n').length);
    expect((await operator.get('/audit?kind=audit-exported')).json.items[0].detail).toEqual({
      from: recorded.createdAt,
    });
    expect((await operator.get('/audit/export?from=yesterday')).status).toBe(400);
  });

  it('is sealed by housekeeping, and checked by operators', async () => {
    const operator = await admin.administrator();
    await newUser(operator);
    await admin.app().get<JobRunner>(jobToken('accounts'), { strict: false }).run();
    const { json } = await operator.get('/audit/check');
    expect(json).toMatchObject({ isIntact: true, unsealed: 0, prunedBlocks: 0, faults: [] });
    expect((await operator.get(`/audit/check?head=${json.head}`)).json.isIntact).toBe(true);
    const db = admin.app().get(Database, { strict: false });
    const [event] = await db.selectFrom('auditEvent').selectAll().orderBy('id').limit(1).execute();
    await db.updateTable('auditEvent').set({ ip: '192.0.2.9' }).where('id', '=', event.id).execute();
    expect((await operator.get('/audit/check')).json).toMatchObject({
      isIntact: false,
      faults: [{ block: event.block, problem: 'an event was changed' }],
    });
    await db.updateTable('auditEvent').set({ ip: event.ip }).where('id', '=', event.id).execute();
    expect((await operator.get(`/audit/check?head=${'A'.repeat(43)}`)).json.isIntact).toBe(false);
  });

  it('is exported and checked for administrators only', async () => {
    const body = { email: newEmail(), password, firstName: 'Ada', lastName: 'Lovelace' };
    await (await admin.administrator()).post('/users', body);
    const user = await admin().signIn(body.email, password);
    expect([(await user.get('/audit/export')).status, (await user.get('/audit/check')).status]).toEqual([
      403, 403,
    ]);
  });
});
