import { ApiKeys, SignUp } from '@app/accounts';
import { type Client, newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const password = 'correct horse battery staple';

describe('sessions of a user, for operators', () => {
  const admin = bootAdmin();
  let operator: Client;
  beforeAll(async () => {
    operator = await admin.administrator();
  });

  async function newUser(): Promise<{ id: number; credentials: { username: string; password: string } }> {
    const email = newEmail();
    const { id } = await admin.app().get(SignUp, { strict: false }).create({ email, password });
    return { id, credentials: { username: email, password } };
  }
  const open = async (credentials: object) => (await admin().post('/auth/sessions', credentials)).json;
  const profile = async (token: string) => (await admin().as(token).get('/auth/profile')).status;
  const refresh = async (token: string) =>
    (await admin().post('/auth/refresh', { refresh_token: token })).status;

  it('are listed without their tokens', async () => {
    const { id, credentials } = await newUser();
    await open(credentials);
    const { json } = await operator.get(`/users/${id}/sessions`);
    expect(json.items).toHaveLength(1);
    expect(Object.keys(json.items[0])).toEqual([
      'id',
      'ip',
      'device',
      'createdAt',
      'lastUsedAt',
      'expiresAt',
    ]);
  });

  it('end one by one, with their tokens', async () => {
    const { id, credentials } = await newUser();
    const [first, second] = [await open(credentials), await open(credentials)];
    const { items } = (await operator.get(`/users/${id}/sessions`)).json;
    const oldest = Math.min(...items.map((session: { id: number }) => session.id));
    expect((await operator.delete(`/users/${id}/sessions/${oldest}`)).status).toBe(204);
    expect([await profile(first.access_token), await refresh(first.refresh_token)]).toEqual([401, 401]);
    expect([await profile(second.access_token), await refresh(second.refresh_token)]).toEqual([200, 200]);
    expect((await operator.delete(`/users/${id}/sessions/${oldest}`)).status).toBe(404);
  });

  it('end all at once, with the tokens of logins without a session', async () => {
    const { id, credentials } = await newUser();
    const session = await open(credentials);
    const login = (await admin().post('/auth/login', credentials)).json;
    expect((await operator.delete(`/users/${id}/sessions`)).status).toBe(204);
    expect(await profile(session.access_token)).toBe(401);
    expect(await profile(login.access_token)).toBe(401);
    expect(await refresh(session.refresh_token)).toBe(401);
    expect((await operator.get(`/users/${id}/sessions`)).json.items).toEqual([]);
    expect(await profile((await open(credentials)).access_token)).toBe(200);
  });

  it('respond with the number of valid API keys, and revoke them on request', async () => {
    const { id } = await newUser();
    const keys = admin.app().get(ApiKeys, { strict: false });
    await keys.create({ userId: id }, { name: 'a robot' });
    const end = async (query = '') => {
      const { status, headers } = await operator.delete(`/users/${id}/sessions${query}`);
      return [status, headers.get('active-api-keys')];
    };
    expect(await end('?apiKeys=keep')).toEqual([204, '1']);
    expect(await end('?apiKeys=end')).toEqual([204, '0']);
    expect(await keys.countActive(id)).toBe(0);
    expect((await operator.delete('/users/999999999/sessions')).status).toBe(404);
  });

  it('end with the account: 403 while it is disabled, 401 once it is deleted', async () => {
    const { id, credentials } = await newUser();
    const session = await open(credentials);
    await operator.patch(`/users/${id}`, { disabled: true });
    expect(await refresh(session.refresh_token)).toBe(401);
    expect(await profile(session.access_token)).not.toBe(200);
    await operator.delete(`/users/${id}`);
    expect(await profile(session.access_token)).toBe(401);
    expect((await operator.delete(`/users/${id}/sessions`)).status).toBe(404);
  });

  it('are for administrators only', async () => {
    const { id, credentials } = await newUser();
    const user = admin().as((await open(credentials)).access_token);
    expect((await user.get(`/users/${id}/sessions`)).status).toBe(403);
    expect((await user.delete(`/users/${id}/sessions`)).status).toBe(403);
    expect((await user.delete(`/users/${id}/sessions/1`)).status).toBe(403);
  });
});
