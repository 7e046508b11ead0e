import { AuditLog } from '@app/accounts';
import { type Client, newEmail, type Reply } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const refused = '{"statusCode":401,"message":"Unauthorized"}';

describe('a session (D17, D18, D19)', () => {
  const api = bootApi();
  const clock = useFakeClock(api);

  async function signUp(): Promise<{ email: string; id: number }> {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    return { email, id: Number(headers.get('location')?.split('/').at(-1)) };
  }
  const open = async (email: string) =>
    (await api().post('/auth/sessions', { username: email, password })).json;
  const refresh = (token: unknown): Promise<Reply> => api().post('/auth/refresh', { refresh_token: token });
  const stands = async (token: string) => (await api().as(token).get('/auth/profile')).status;

  it('is opened by a password, and rotates its refresh token', async () => {
    const { email } = await signUp();
    const opened = await api().post('/auth/sessions', { username: email, password });
    const members = ['access_token', 'refresh_token', 'expires_in'];
    expect([opened.status, Object.keys(opened.json)]).toEqual([201, members]);
    const turned = await refresh(opened.json.refresh_token);
    expect([turned.status, Object.keys(turned.json)]).toEqual([200, members]);
    expect(turned.json.refresh_token).not.toBe(opened.json.refresh_token);
    expect(await stands(turned.json.access_token)).toBe(200);
    const wrong = await api().post('/auth/sessions', { username: email, password: 'not the password' });
    expect([wrong.status, wrong.text]).toEqual([401, refused]);
  });

  it('returns one successor to fifty concurrent refreshes (D19)', async () => {
    const { refresh_token } = await open((await signUp()).email);
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(refresh_token)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.refresh_token)).size).toBe(1);
    expect((await refresh(replies[0]?.json.refresh_token)).status).toBe(200);
  });

  it('returns the newest token to its predecessor for an hour, until that is used, and records it (D54)', async () => {
    const { email, id } = await signUp();
    const { refresh_token: first } = await open(email);
    const { refresh_token: second } = (await refresh(first)).json;
    clock.pass(3_599_000);
    const repeated = (await refresh(first)).json;
    expect(repeated.refresh_token).toBe(second);
    expect(await stands(repeated.access_token)).toBe(200);
    const events = await api
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 9, offset: 0 }, { accountId: id, kind: 'refresh-token-repeated' });
    expect(events).toMatchObject([{ ip: '127.0.0.1', detail: expect.stringMatching(/^{"session":\d+}$/) }]);
    const third = (await refresh(second)).json.refresh_token;
    expect((await refresh(first)).text).toBe(refused);
    expect((await refresh(third)).text).toBe(refused);
  });

  it.each([1, 2])('ends when a token is reused too late, after %i rotations (D54, P4)', async (rotations) => {
    const { refresh_token: first } = await open((await signUp()).email);
    let newest = (await refresh(first)).json;
    if (rotations === 1) clock.pass(3_601_000);
    else newest = (await refresh(newest.refresh_token)).json;
    expect((await refresh(first)).text).toBe(refused);
    expect((await refresh(newest.refresh_token)).text).toBe(refused);
    expect(await stands(newest.access_token)).toBe(401);
  });

  it.each([-3_600_000, 3_600_000])('has no valid access token when the clock is set by %i ms', async (ms) => {
    const { access_token } = await open((await signUp()).email);
    clock.pass(ms);
    expect(await stands(access_token)).toBe(401);
    clock.pass(-ms);
  });

  it('expires', async () => {
    const { refresh_token } = await open((await signUp()).email);
    clock.pass(30 * 86_400_000);
    expect((await refresh(refresh_token)).text).toBe(refused);
  });

  it('rejects foreign tokens with the same 401, and continues', async () => {
    const { refresh_token: token, access_token: access } = await open((await signUp()).email);
    const last = token.endsWith('A') ? 'B' : 'A';
    const wrong = ['', 'x', token.slice(0, -1), `${token}A`, token.slice(0, -1) + last, access];
    for (const text of [...wrong, 'A'.repeat(80), '_'.repeat(80), 'x'.repeat(90_000)]) {
      const { status, text: body, headers } = await refresh(text);
      expect([status, body, headers.get('www-authenticate')]).toEqual([401, refused, 'Bearer']);
    }
    expect((await refresh(token)).status).toBe(200);
  });

  it('ends at logout, with all its tokens (D17)', async () => {
    const { email } = await signUp();
    const [own, otherSession] = [await open(email), await open(email)];
    const turned = (await refresh(own.refresh_token)).json;
    expect((await api().as(own.access_token).post('/auth/logout')).status).toBe(204);
    expect([await stands(own.access_token), await stands(turned.access_token)]).toEqual([401, 401]);
    expect((await refresh(turned.refresh_token)).status).toBe(401);
    expect(await stands(otherSession.access_token)).toBe(200);
  });

  it('is ended after a race of refresh and logout', async () => {
    const { email } = await signUp();
    for (let round = 0; round < 10; round++) {
      const own = await open(email);
      const [turned] = await Promise.all([
        refresh(own.refresh_token),
        api().as(own.access_token).post('/auth/logout'),
      ]);
      expect([200, 401]).toContain(turned.status);
      if (turned.status === 401) continue;
      expect(await stands(turned.json.access_token)).toBe(401);
      expect((await refresh(turned.json.refresh_token)).status).toBe(401);
    }
  });

  it('does not end with another sign-in of the same user', async () => {
    const { email } = await signUp();
    const [first, second] = [await api().signIn(email, password), await api().signIn(email, password)];
    expect((await first.post('/auth/logout')).status).toBe(204);
    expect((await first.get('/auth/profile')).status).toBe(401);
    expect((await second.get('/auth/profile')).status).toBe(200);
  });

  it('is the only one that survives its own change of the password (D9)', async () => {
    const { email, id } = await signUp();
    const [own, otherSession] = [await open(email), await open(email)];
    const login = await api().signIn(email, password);
    const changed = await api()
      .as(own.access_token)
      .patch(`/users/${id}`, { email, password: 'another phrase' });
    expect(changed.status).toBe(200);
    expect(await stands(own.access_token)).toBe(200);
    expect((await refresh(own.refresh_token)).status).toBe(200);
    expect(await stands(otherSession.access_token)).toBe(401);
    expect((await refresh(otherSession.refresh_token)).status).toBe(401);
    expect((await login.get('/auth/profile')).status).toBe(401);
    const again = await api().signIn(email, 'another phrase');
    expect((await again.get('/auth/profile')).status).toBe(200);
  });

  it('is listed in pages, continued by a cursor', async () => {
    const { email } = await signUp();
    await open(email);
    const as = api().as((await open(email)).access_token);
    const { items } = (await as.get('/auth/sessions')).json;
    const first = await as.get('/auth/sessions?limit=1');
    expect(first.json).toEqual({ items: items.slice(0, 1), page: 1, limit: 1, nextPage: 2 });
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await as.get(next);
    expect(second.json).toEqual({ items: items.slice(1), page: 2, limit: 1, nextPage: null });
    expect(second.headers.get('link')).not.toContain('rel="next"');
  });

  it('is listed and ended by its owner only', async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    const own = await open(owner.email);
    const as: Client = api().as(own.access_token);
    const { json } = await as.get('/auth/sessions');
    expect(Object.keys(json.items[0])).toEqual([
      'id',
      'ip',
      'device',
      'createdAt',
      'lastUsedAt',
      'expiresAt',
    ]);
    const path = `/auth/sessions/${json.items[0].id}`;
    const otherClient = api().as((await open(stranger.email)).access_token);
    expect((await otherClient.delete(path)).status).toBe(404);
    expect((await as.delete(path)).status).toBe(204);
    expect(await stands(own.access_token)).toBe(401);
  });
});
