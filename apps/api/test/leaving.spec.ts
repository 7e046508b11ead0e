import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';

describe('a user who leaves', () => {
  const api = bootApi({ env: { EMAIL_VERIFICATION: 'on' } });
  const clock = useFakeClock(api);

  async function signUp() {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    const path = headers.get('location') ?? '';
    return {
      email,
      path,
      id: Number(path.split('/').at(-1)),
      session,
      client: api().as(session.access_token),
    };
  }
  const db = () => api.app().get(Database, { strict: false });

  it('is signed out everywhere at once, and cannot sign in', async () => {
    const { email, session, client } = await signUp();
    const secondClient = await api().signIn(email, password);
    const left = await client.delete('/users/me');
    expect([left.status, left.text]).toEqual([204, '']);
    const statuses = [
      await client.get('/users/me'),
      await secondClient.get('/users/me'),
      await api().post('/auth/refresh', { refresh_token: session.refresh_token }),
      await api().post('/auth/login', { username: email, password }),
      await client.delete('/users/me'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect((await api().post('/users', { email, password })).status).toBe(201);
  });

  it('leaves orders and posts without an owner, and no key', async () => {
    const { id, client } = await signUp();
    const order = await client.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] });
    const slug = `left-${Date.now()}`;
    await client.post('/posts', { slug });
    await db().updateTable('account').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute();
    const again = await api().signIn((await client.get('/users/me')).json.email, password);
    const key = (await again.post('/auth/api-keys', { name: 'robot' })).json.apiKey ?? '';
    await again.delete('/users/me');
    const orders = db().selectFrom('order').select('accountId').where('id', '=', order.json.id);
    const posts = db().selectFrom('post').select('authorId').where('slug', '=', slug);
    expect([await orders.execute(), await posts.execute()]).toEqual([
      [{ accountId: null }],
      [{ authorId: null }],
    ]);
    expect((await api().with({ 'x-api-key': key }).get('/items')).status).toBe(401);
  });

  it('gets no mail that was not sent yet, at the e-mail or at one that is not confirmed', async () => {
    const { email, path, client } = await signUp();
    const chosen = newEmail();
    await client.patch(path, { email: chosen });
    const recipients = async () => {
      const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 100, offset: 0 });
      return mails
        .map(({ recipient }) => recipient)
        .filter((recipient) => recipient === email || recipient === chosen);
    };
    expect((await recipients()).length).toBe(2);
    await client.delete('/users/me');
    expect(await recipients()).toEqual([]);
  });

  it('is recorded, with the address', async () => {
    const { id, client } = await signUp();
    await client.delete('/users/me');
    const events = db().selectFrom('auditEvent').select(['kind', 'actorId', 'ip', 'program']);
    const [event] = await events.where('accountId', '=', id).orderBy('id', 'desc').limit(1).execute();
    expect(event).toEqual({ kind: 'account-deleted', actorId: null, ip: '127.0.0.1', program: 'api' });
  });

  it('signed in recently, and is not the last administrator', async () => {
    const { session } = await signUp();
    clock.pass(16 * 60_000);
    const { access_token } = (await api().post('/auth/refresh', { refresh_token: session.refresh_token }))
      .json;
    const late = await api().as(access_token).delete('/users/me');
    expect([late.status, late.json.message]).toEqual([403, 'a recent sign-in is needed']);
    const last = await (await api.administrator()).delete('/users/me');
    expect([last.status, last.json.error]).toEqual([409, 'Conflict']);
  });
});
