import { administrator, type Client, newEmail } from '@app/service/testing';

const [password, chosen] = ['correct horse battery staple', 'a phrase that its owner chose'];

/**
 * Runs the `admin` scenarios of an operator. The specs run them in process and on every build, on every database.
 *
 * @param program returns an unauthenticated client for the running program
 */
export function tellAdminStories(program: () => Client): void {
  const operator = () => program().signIn(administrator.email, administrator.password);

  function newUser(): { email: string; password: string; firstName: string; lastName: string } {
    return { email: newEmail(), password, firstName: 'Ada', lastName: 'Lovelace' };
  }

  it('answers with the name of the program', async () => {
    expect((await program().get('/')).text).toMatch(/^sluice \d+\.\d+\.\d+ \(admin\)$/);
  });

  it('creates an account with a full name', async () => {
    const client = await operator();
    const body = newUser();
    const created = await client.post('/users', body);
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      id: expect.any(Number),
      email: body.email,
      role: 'user',
      lastLoginIp: null,
      firstName: 'Ada',
      lastName: 'Lovelace',
      fullName: 'Ada Lovelace',
      disabledAt: null,
      createdAt: expect.any(String),
    });
    expect((await client.get(created.headers.get('location') ?? '')).json).toEqual(created.json);
    expect((await program().signIn(body.email, password)).url).toBe(program().url);
  });

  it('is for administrators only', async () => {
    const body = newUser();
    await (await operator()).post('/users', body);
    const user = await program().signIn(body.email, password);
    expect((await user.get('/users')).status).toBe(403);
    expect((await user.post('/users', newUser())).status).toBe(403);
    expect((await program().get('/users')).status).toBe(401);
  });

  it('makes a user an administrator', async () => {
    const client = await operator();
    const body = newUser();
    const { json } = await client.post('/users', body);
    expect((await client.patch(`/users/${json.id}`, { role: 'admin' })).json.role).toBe('admin');
    const promoted = await program().signInFirst(body.email, password, chosen);
    expect((await promoted.get('/users?limit=1')).status).toBe(200);
  });

  it('rejects a disabled account, and once enabled accepts new sign-ins only (P3)', async () => {
    const client = await operator();
    const body = newUser();
    const { json } = await client.post('/users', body);
    const user = await program().signInFirst(body.email, password, chosen);

    expect((await client.patch(`/users/${json.id}`, { disabled: true })).json.disabledAt).toEqual(
      expect.any(String),
    );
    expect((await user.get('/auth/profile')).status).toBe(403);
    expect((await program().post('/auth/login', { username: body.email, password: chosen })).status).toBe(
      403,
    );

    expect((await client.patch(`/users/${json.id}`, { disabled: false })).json.disabledAt).toBeNull();
    expect((await user.get('/auth/profile')).status).toBe(401);
    const again = await program().signIn(body.email, chosen);
    expect((await again.get('/auth/profile')).status).toBe(200);
  });

  it('deletes an account', async () => {
    const client = await operator();
    const body = newUser();
    const { json } = await client.post('/users', body);
    const user = await program().signIn(body.email, password);
    expect((await client.delete(`/users/${json.id}`)).status).toBe(204);
    expect((await user.get('/auth/profile')).status).toBe(401);
    expect((await client.get(`/users/${json.id}`)).status).toBe(404);
    expect((await client.delete(`/users/${json.id}`)).status).toBe(404);
  });

  it('pages through all users', async () => {
    const client = await operator();
    await client.post('/users', newUser());
    const first = await client.get('/users?limit=1');
    expect(first.json).toMatchObject({ page: 1, limit: 1, nextPage: 2 });
    expect(first.json.items).toHaveLength(1);
    expect(first.headers.get('link')).toContain('rel="next"');
  });
}
