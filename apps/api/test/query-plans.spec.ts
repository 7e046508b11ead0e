import { join } from 'node:path';
import { Outbox } from '@app/mail';
import { Database, type JobRunner, jobToken } from '@app/persistence';
import { QueryRecord } from '@app/persistence/testing';
import {
  makePng,
  type BootedProgram,
  exchangeEvents,
  exchangeRateCounts,
  newEmail,
  Samples,
  sweepStoredResponses,
} from '@app/service/testing';
import { sql } from 'kysely';
import { bootApi } from '../testing/boot-api';
import { tellApiStories } from './stories';

/** The stories run first; then each of their queries is explained. */
describe('the queries of the stores', () => {
  const record = new QueryRecord();
  const api = bootApi({ env: { RATE_LIMIT: '1000000/1m' } });

  tellApiStories(() => api());

  it('include those of the first administrator', async () => {
    const db = api.app().get(Database, { strict: false });
    const isAdministrator = sql.lit<'admin'>('admin');
    const administrators = db.selectFrom('account').select('id').where('role', '=', isAdministrator);
    expect(await administrators.execute()).toHaveLength(1);
  });

  it('include those of sessions, keys, changes and further pages', async () => {
    const [username, password] = [newEmail(), 'correct horse battery staple'];
    await api().post('/users', { email: username, password });
    const { refresh_token, access_token } = (await api().post('/auth/sessions', { username, password })).json;
    await api().post('/auth/refresh', { refresh_token });
    const client = api().as(access_token);
    const { id } = (await client.get('/auth/sessions')).json.items[0];
    await client.post('/auth/api-keys', { name: 'a key' });
    await client.get('/auth/api-keys');
    const samples = new Samples(() => api, join(__dirname, '../testing'));
    await samples.useEach({ caller: client, admin: await api.administrator() });
    expect((await client.delete(`/auth/sessions/${id}`)).status).toBe(204);
    await api().post('/auth/password-resets', { username });
    const token = await newestToken(api);
    const reset = await api().post('/auth/password-resets/complete', { token, password });
    expect(reset.status).toBe(204);
  });

  it('include those of large orders', async () => {
    const client = await api.newcomer();
    for (let count = 0; count < 3; count += 1)
      await client.post('/orders', { items: [{ sku: 'x'.repeat(90_000), quantity: '1' }] });
    const { headers } = await client.get('/orders?limit=4');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    expect((await client.get(next)).json.items).toHaveLength(1);
  });

  it('include those of pictures', async () => {
    const user = await api.newcomer();
    const form = new FormData();
    form.append('picture', new Blob([makePng()]), 'me.png');
    expect((await user.send('PUT', '/users/me/picture', form)).status).toBe(200);
    expect((await user.get('/users/me/picture')).status).toBe(200);
    expect((await user.get('/users/me/export')).json.pictures).toHaveLength(1);
    expect((await user.delete('/users/me/picture')).status).toBe(204);
  });

  it('include those of the background, and all statements', async () => {
    await api.app().get<JobRunner>(jobToken('accounts'), { strict: false }).run();
    await sweepStoredResponses(api.app());
    await exchangeRateCounts(api.app());
    await exchangeEvents(api.app());

    const others = process.env.TEST_DATABASE_URL ? onSqliteOnly : onPostgresOnly;
    for (const folder of ['apps/api/src', 'libs/service/src'])
      expect(record.unexecuted(folder, others)).toEqual({});
  });

  it('read no growing table completely', async () => {
    const db = api.app().get(Database, { strict: false });
    expect(record.queries.length).toBeGreaterThan(20);
    expect(await record.fullScans(db, 'account_administrators', 'event_failed')).toEqual([]);
  });
});

describe('the queries of verified e-mails', () => {
  const record = new QueryRecord();
  const api = bootApi({ env: { EMAIL_VERIFICATION: 'on' } });

  it('read no growing table completely', async () => {
    const [username, password] = [newEmail(), 'correct horse battery staple'];
    const { headers } = await api().post('/users', { email: username, password });
    const client = await api().signIn(username, password);
    const confirm = async () =>
      client.post('/auth/email-verifications/complete', { token: await newestToken(api) });
    expect((await confirm()).status).toBe(204);
    await client.patch(headers.get('location') ?? '', { email: newEmail() });
    expect((await client.post('/auth/email-verifications')).status).toBe(202);
    expect((await confirm()).status).toBe(204);
    const undo = { token: await newestToken(api), password };
    expect((await api().post('/auth/email-changes/undo', undo)).status).toBe(204);

    const links = record.queries.filter((query) => query.sql.includes('email_link'));
    expect(links.length).toBeGreaterThan(4);
    const db = api.app().get(Database, { strict: false });
    expect(await record.fullScans(db, 'account_administrators')).toEqual([]);
  });
});

async function newestToken(program: BootedProgram): Promise<string> {
  const [mail] = await program.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
  return mail?.text?.link?.split('#token=')[1] ?? '';
}

const onSqliteOnly = { 'apps/api/src/orders/orders.store.ts': 2 };
const onPostgresOnly = { 'apps/api/src/orders/orders.store.ts': 1 };
