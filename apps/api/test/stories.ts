import { administrator, type Client, newEmail } from '@app/service/testing';

const password = 'correct horse battery staple';

/**
 * What callers of `api` live through, from sign-up to reading what they ordered. The same stories
 * are told of the program in process and of every build of it, on every store.
 *
 * @param program speaks to the program as nobody in particular, once it runs
 */
export function tellApiStories(program: () => Client): void {
  async function newcomer(): Promise<{ client: Client; id: number; email: string }> {
    const email = newEmail();
    const { headers } = await program().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { client: await program().signIn(email, password), id, email };
  }

  it('says which program answers', async () => {
    const { status, text, headers } = await program().get('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/^sluice \d+\.\d+\.\d+ \(api\)$/);
  });

  it('takes a newcomer from sign-up to their profile', async () => {
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

  it('explains a refusal rule by rule', async () => {
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

  it('lets a user change themself, and shows the change without the password', async () => {
    const { client, id } = await newcomer();
    const email = newEmail();
    const changed = await client.patch(`/users/${id}`, { email, password: 'another pass phrase' });
    expect(changed.status).toBe(200);
    expect(changed.text).toBe(JSON.stringify({ email }));
    const again = await program().signIn(email, 'another pass phrase');
    expect((await again.get('/users/me')).json).toEqual({ id, email });
  });

  it('takes an order and shows it to its owner alone', async () => {
    const [owner, stranger] = [await newcomer(), await newcomer()];
    const items = [
      { sku: 'tea', quantity: '2' },
      { sku: 'cup', quantity: '1' },
    ];
    const made = await owner.client.post('/orders', { items });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({ id: expect.any(Number), items, createdAt: expect.any(String) });

    const path = made.headers.get('location') ?? '';
    expect((await owner.client.get(path)).json).toEqual(made.json);
    expect((await owner.client.get('/orders')).json.items).toEqual([made.json]);
    expect((await stranger.client.get(path)).status).toBe(404);
    expect((await stranger.client.get('/orders')).json.items).toEqual([]);
  });

  it('names the element of an order that is wrong', async () => {
    const { client } = await newcomer();
    const items = [
      { sku: 'tea', quantity: '1' },
      { sku: 'cup', quantity: '' },
    ];
    const { status, json } = await client.post('/orders', { items });
    expect(status).toBe(400);
    expect(json.message).toEqual(['items.1.quantity must be longer than or equal to 1 characters']);
  });

  it('lets an administrator keep the items that everybody reads', async () => {
    const admin = await program().signIn(administrator.email, administrator.password);
    const sku = newEmail('sku');
    const made = await admin.post('/items', { sku, name: 'Tea', price: 1999 });
    expect(made.status).toBe(201);
    expect(made.json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const { client } = await newcomer();
    const path = made.headers.get('location') ?? '';
    expect((await client.get(path)).json).toEqual(made.json);
    expect((await client.patch(path, { price: 1 })).status).toBe(403);
    expect((await admin.patch(path, { price: 2050 })).json).toEqual({ ...made.json, price: 2050 });
    expect((await admin.delete(path)).status).toBe(204);
    expect((await client.get(path)).status).toBe(404);
  });

  it('keeps a slug for the first post that took it', async () => {
    const [author, other] = [await newcomer(), await newcomer()];
    const slug = `post-${Math.random().toString(36).slice(2)}`;
    expect((await author.client.post('/posts', { slug })).status).toBe(201);
    const taken = await other.client.post('/posts', { slug });
    expect(taken.json).toEqual({ statusCode: 409, message: 'slug is already taken', error: 'Conflict' });
    expect((await other.client.delete(`/posts/${slug}`)).status).toBe(403);
    expect((await author.client.delete(`/posts/${slug}`)).status).toBe(204);
  });

  it('closes every other door to those who bring no token', async () => {
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
