import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

describe('users', () => {
  const api = bootApi();

  async function signedUp(): Promise<{ id: number; email: string; token: string }> {
    const email = newEmail();
    await api().post('/users', { email, password });
    const token = (await api().post('/auth/login', { username: email, password })).json.access_token;
    const { userId } = (await api().as(token).get('/auth/profile')).json;
    return { id: userId, email, token };
  }

  it('echoes the validated body without the password with Prefer: return=representation', async () => {
    const email = newEmail();
    const asking = api().with({ prefer: 'respond-async, return=representation' });
    const { status, text, headers } = await asking.post('/users', { email, password });
    expect(status).toBe(201);
    expect(text).toBe(JSON.stringify({ email }));
    expect(headers.get('preference-applied')).toBe('return=representation');
  });

  it('returns the minimal response for any other preference', async () => {
    const { json, headers } = await api()
      .with({ prefer: 'return=minimal' })
      .post('/users', { email: newEmail(), password });
    expect(json.ok).toBe(true);
    expect(headers.has('preference-applied')).toBe(false);
  });

  it('rejects an e-mail with control characters, at sign-up and when it is changed', async () => {
    const { id, token } = await signedUp();
    for (const name of ['"\u001b[2J\u001b]0;owned\u0007"', 'ada\u202e'])
      for (const send of [
        (email: string) => api().post('/users', { email, password }),
        (email: string) => api().as(token).patch(`/users/${id}`, { email }),
      ]) {
        const { status, json } = await send(`${name}@example.com`);
        expect([status, json.message]).toEqual([400, ['email must not contain control characters']]);
      }
  });

  it('rejects an e-mail that is taken, in any case', async () => {
    const { email } = await signedUp();
    const { status, text } = await api().post('/users', { email: email.toUpperCase(), password });
    expect(status).toBe(409);
    expect(text).toBe('{"statusCode":409,"message":"email is already taken","error":"Conflict"}');
  });

  it('creates one account for concurrent sign-ups with one e-mail', async () => {
    const email = newEmail();
    const signUp = async (): Promise<number> => {
      const { status } = await api().post('/users', { email, password });
      // A slow machine may reject some of eight concurrent hashes with 503.
      return status === 503 ? signUp() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 8 }, signUp));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
  });

  it('compares the e-mail without regard to case, and the password exactly', async () => {
    const { email } = await signedUp();
    const signIn = (secret: string) =>
      api().post('/auth/login', { username: email.toUpperCase(), password: secret });
    expect((await signIn(password)).status).toBe(200);
    expect((await signIn(password.toUpperCase())).status).toBe(401);
    expect((await signIn(` ${password}`)).status).toBe(401);
    expect((await signIn(`${password}\0`)).status).toBe(401);
  });

  it('shows a user to themself, and hides them from other users', async () => {
    const [own, stranger] = [await signedUp(), await signedUp()];
    const path = `/users/${own.id}`;
    expect((await api().as(own.token).get(path)).text).toBe(JSON.stringify({ id: own.id, email: own.email }));
    const hidden = await api().as(stranger.token).get(path);
    const unknown = await api().as(stranger.token).get('/users/999999999');
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect(hidden.json.message).toBe(`there is no user ${own.id}`);
  });

  it('shows any user to an administrator', async () => {
    const { id, email } = await signedUp();
    const { json } = await (await api.administrator()).get(`/users/${id}`);
    expect(json).toEqual({ id, email });
  });

  it('accepts digits only as an id', async () => {
    const { token } = await signedUp();
    const statusOf = async (id: string) => (await api().as(token).get(`/users/${id}`)).status;
    for (const id of ['abc', '1.5', '1e1', '0x1', '-1', '%201'])
      expect([id, await statusOf(id)]).toEqual([id, 400]);
    for (const id of ['0', '9'.repeat(40)]) expect([id, await statusOf(id)]).toEqual([id, 404]);
  });

  it("shows the administrators' view to administrators only", async () => {
    const { token } = await signedUp();
    expect((await api().as(token).get('/users/admin')).json).toMatchObject({
      statusCode: 403,
      error: 'Forbidden',
    });
    const { json } = await (await api.administrator()).get('/users/admin');
    expect(Object.keys(json)).toEqual(['id', 'email', 'role', 'lastLoginIp']);
    expect(json).toMatchObject({ role: 'admin', lastLoginIp: '127.0.0.1' });
  });

  it('lists all users for administrators only, in pages', async () => {
    const { token } = await signedUp();
    expect((await api().as(token).get('/users')).status).toBe(403);
    const { json } = await (await api.administrator()).get('/users?limit=1&page=2');
    expect(json).toMatchObject({ page: 2, limit: 1 });
    expect(Object.keys(json.items[0])).toEqual(['id', 'email', 'role', 'lastLoginIp']);
  });

  it('changes the e-mail, and keeps the old one for its owner', async () => {
    const { id, email, token } = await signedUp();
    const changed = await api().as(token).patch(`/users/${id}`, { email: newEmail() });
    expect(changed.status).toBe(200);
    expect((await api().as(token).get('/auth/profile')).status).toBe(200);
    expect((await api().post('/users', { email, password })).status).toBe(409);
    expect((await api().as(token).patch(`/users/${id}`, { email })).status).toBe(200);
  });

  it("permits one's own e-mail in another case", async () => {
    const { id, email, token } = await signedUp();
    const { status, json } = await api().as(token).patch(`/users/${id}`, { email: email.toUpperCase() });
    expect([status, json]).toEqual([200, { email: email.toUpperCase() }]);
  });

  it('keeps the password if none is given', async () => {
    const { id, email, token } = await signedUp();
    await api().as(token).patch(`/users/${id}`, { email });
    expect((await api().post('/auth/login', { username: email, password })).status).toBe(200);
  });

  it('validates a changed password like a new one', async () => {
    const { id, email, token } = await signedUp();
    const { status, json } = await api().as(token).patch(`/users/${id}`, { email, password: 'short' });
    expect(status).toBe(400);
    expect(json.message).toEqual(['password must be longer than or equal to 8 characters']);
  });

  it('rejects changes of another user', async () => {
    const [own, stranger] = [await signedUp(), await signedUp()];
    const { status } = await api().as(stranger.token).patch(`/users/${own.id}`, { email: newEmail() });
    expect(status).toBe(404);
  });
});
