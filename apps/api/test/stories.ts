import { type ApiClient, createClient } from '@app/client';
import { administrator, type Client, newEmail } from '@app/service/testing';

const password = 'correct horse battery staple';

/**
 * Runs the `api` scenarios of a user, from sign-up to orders. The specs run them in process and on every build, on every
 * database. Most scenarios use the typed client, so that they compile only while the contract matches them.
 *
 * @param program returns an unauthenticated client for the running program
 */
export function tellApiStories(program: () => Client): void {
  async function newcomer(): Promise<{ client: Client; id: number; email: string }> {
    const email = newEmail();
    const { headers } = await program().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { client: await program().signIn(email, password), id, email };
  }

  async function signedIn(username: string, phrase: string): Promise<ApiClient> {
    const client = createClient({ baseUrl: program().url });
    await client.session.signIn(username, phrase);
    return client;
  }

  async function member(): Promise<ApiClient> {
    const email = newEmail();
    await createClient({ baseUrl: program().url }).POST('/users', { body: { email, password } });
    return signedIn(email, password);
  }

  it('answers with the name of the program', async () => {
    const { status, text, headers } = await program().get('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/^sluice \d+\.\d+\.\d+ \(api\)$/);
  });

  it('signs a user up and in, and shows the profile', async () => {
    const email = newEmail('New.Comer');
    const signedUp = await program().post('/users', { email, password });
    expect(signedUp.status).toBe(201);
    expect(signedUp.text).toBe(JSON.stringify({ ok: true, email }));

    const { status, json } = await program().post('/auth/login', { username: email, password });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['access_token']);

    const profile = await program().as(json.access_token).get('/auth/profile');
    expect(profile.json).toEqual({ userId: expect.any(Number), username: email });
    expect(signedUp.headers.get('location')).toBe(`/users/${profile.json.userId}`);
  });

  it('reports each violated rule', async () => {
    const { status, text } = await program().post('/users', {
      email: 'nobody',
      password: 'short',
      admin: true,
    });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      statusCode: 400,
      message: [
        'property admin should not exist',
        'email must be an email',
        'password must be longer than or equal to 8 characters',
      ],
      error: 'Bad Request',
    });
  });

  it('updates a user, and returns the change without the password', async () => {
    const { client, id } = await newcomer();
    const email = newEmail();
    const changed = await client.patch(`/users/${id}`, { email, password: 'another pass phrase' });
    expect(changed.status).toBe(200);
    expect(changed.text).toBe(JSON.stringify({ email }));
    const again = await program().signIn(email, 'another pass phrase');
    expect((await again.get('/users/me')).json).toEqual({ id, email });
  });

  it('creates an order and shows it to its owner only', async () => {
    const [owner, stranger] = [await member(), await member()];
    const items = [
      { sku: 'tea', quantity: '2' },
      { sku: 'cup', quantity: '1' },
    ];
    const created = await owner.POST('/orders', { body: { items } });
    expect(created.response.status).toBe(201);
    expect(created.data).toEqual({ id: expect.any(Number), items, createdAt: expect.any(String) });

    const id = created.data?.id ?? 0;
    expect(created.response.headers.get('location')).toBe(`/orders/${id}`);
    const path = { params: { path: { id } } };
    expect((await owner.GET('/orders/{id}', path)).data).toEqual(created.data);
    expect((await owner.GET('/orders')).data?.items).toEqual([created.data]);
    expect((await stranger.GET('/orders/{id}', path)).response.status).toBe(404);
    expect((await stranger.GET('/orders')).data?.items).toEqual([]);
  });

  it('reports the invalid element of an order', async () => {
    const { client } = await newcomer();
    const items = [
      { sku: 'tea', quantity: '1' },
      { sku: 'cup', quantity: '' },
    ];
    const { status, json } = await client.post('/orders', { items });
    expect(status).toBe(400);
    expect(json.message).toEqual(['items.1.quantity must be longer than or equal to 1 characters']);
  });

  it('lets an administrator manage the items that every user reads', async () => {
    const admin = await signedIn(administrator.email, administrator.password);
    const sku = newEmail('sku');
    const created = await admin.POST('/items', { body: { sku, name: 'Tea', price: 1999 } });
    expect(created.response.status).toBe(201);
    expect(created.data?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const client = await member();
    const path = { params: { path: { id: created.data?.id ?? 0 } } };
    expect((await client.GET('/items/{id}', path)).data).toEqual(created.data);
    const refused = await client.PATCH('/items/{id}', { ...path, body: { price: 1 } });
    expect(refused.response.status).toBe(403);
    const changed = await admin.PATCH('/items/{id}', { ...path, body: { price: 2050 } });
    expect(changed.data).toEqual({ ...created.data, price: 2050 });
    expect((await admin.DELETE('/items/{id}', path)).response.status).toBe(204);
    expect((await client.GET('/items/{id}', path)).response.status).toBe(404);
  });

  it('rejects a second post with the same slug', async () => {
    const [author, stranger] = [await member(), await member()];
    const slug = `post-${Math.random().toString(36).slice(2)}`;
    const path = { params: { path: { slug } } };
    expect((await author.POST('/posts', { body: { slug } })).response.status).toBe(201);
    const taken = await stranger.POST('/posts', { body: { slug } });
    expect(taken.error).toMatchObject({
      status: 409,
      code: 'value-conflict',
      errors: [{ pointer: '/slug' }],
    });
    expect((await stranger.DELETE('/posts/{slug}', path)).response.status).toBe(403);
    expect((await author.DELETE('/posts/{slug}', path)).response.status).toBe(204);
  });

  it('requires a token on every other route', async () => {
    for (const path of ['/auth/profile', '/users', '/users/me', '/users/1', '/items', '/orders', '/posts']) {
      const { status, text, headers } = await program().get(path);
      expect([path, status, text]).toEqual([path, 401, '{"statusCode":401,"message":"Unauthorized"}']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is alive and ready', async () => {
    for (const path of ['/health/live', '/health/ready', '/health']) {
      const { status, json } = await program().get(path);
      expect([path, status, json.status]).toEqual([path, 200, 'ok']);
    }
  });
}
