import { Database } from '@app/persistence';
import { makePng, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';

describe('the export of an account', () => {
  const api = bootApi({ env: { EMAIL_VERIFICATION: 'on' } });
  const clock = useFakeClock(api);
  const db = () => api.app().get(Database, { strict: false });

  async function signUp() {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    const path = headers.get('location') ?? '';
    const client = await api().signIn(email, password);
    return { email, path, id: Number(path.split('/').at(-1)), client };
  }

  /** Has something of every kind. */
  async function useEverything() {
    const user = await signUp();
    const { id, email, client, path } = user;
    await db().updateTable('account').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute();
    const verified = await api().signIn(email, password);
    const key = (await verified.post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    await api().post('/auth/sessions', { username: email, password });
    await client.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] });
    await client.post('/posts', { slug: `exported-${id}` });
    const form = new FormData();
    form.append('picture', new Blob([makePng()]), 'me.png');
    await client.send('PUT', '/users/me/picture', form);
    await client.patch(path, { email: newEmail() });
    return { ...user, key };
  }

  it('is one JSON document to keep, with what the account did', async () => {
    const { id, email, client, key } = await useEverything();
    const { status, headers, json } = await client.get('/users/me/export');
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'attachment; filename="account.json"',
    ]);
    expect(json).toMatchObject({
      exportedAt: expect.any(String),
      account: { id, email, role: 'user', lastLoginIp: '127.0.0.1' },
      sessions: [{ ip: '127.0.0.1' }],
      apiKeys: [{ name: 'robot', apiKey: `${key.slice(0, 2)}***${key.slice(-2)}` }],
      emailLinks: [{ kind: 'confirm' }],
      mails: [{ kind: 'email-verification', recipient: email }, { kind: 'email-verification' }],
      orders: [{ items: [{ sku: 'tea', quantity: '1' }] }],
      posts: [{ slug: `exported-${id}` }],
      pictures: [{ bytes: makePng().length }],
    });
    const kinds = json.auditEvents.map(({ kind }: { kind: string }) => kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['account-exported', 'account-created']);
  });

  it('has more rows than are read at once, each once', async () => {
    const { id, client } = await signUp();
    const slugs = Array.from({ length: 250 }, (_, place) => `slug-${id}-${place}`);
    const createdAt = new Date();
    await db()
      .insertInto('post')
      .values(slugs.map((slug) => ({ slug, authorId: id, createdAt })))
      .execute();
    const { posts } = (await client.get('/users/me/export')).json;
    expect(posts.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(slugs.toSorted());
  });

  it('has nothing of another account: neither the address of an operator, nor mails about a former owner', async () => {
    const first = await signUp();
    await first.client.delete('/users/me');
    await api().post('/users', { email: first.email, password });
    const client = await api().signIn(first.email, password);
    const { account } = (await client.get('/users/me/export')).json;
    const event = { kind: 'role-changed', detail: '{}', program: 'admin', createdAt: new Date() };
    await db()
      .insertInto('auditEvent')
      .values({ ...event, accountId: account.id, actorId: 1, ip: '192.0.2.7' })
      .execute();
    await db().updateTable('mail').set({ accountId: 1 }).where('recipient', '=', first.email).execute();
    const { mails, auditEvents } = (await client.get('/users/me/export')).json;
    expect(mails).toEqual([]);
    expect(auditEvents.slice(0, 2)).toMatchObject([
      { kind: 'account-exported', isByAnother: false, ip: '127.0.0.1' },
      { kind: 'role-changed', isByAnother: true, ip: null },
    ]);
  });

  it('needs a recent sign-in, and no API key gets it', async () => {
    const { email, key } = await useEverything();
    expect((await api().with({ 'x-api-key': key }).get('/users/me/export')).status).toBe(401);
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    clock.pass(16 * 60_000);
    const { access_token } = (await api().post('/auth/refresh', { refresh_token: session.refresh_token }))
      .json;
    const late = await api().as(access_token).get('/users/me/export');
    expect([late.status, late.json.message]).toEqual([403, 'a recent sign-in is needed']);
  });

  it('is limited to ten an hour for each user', async () => {
    const { client } = await signUp();
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await client.get('/users/me/export')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
