import { type Client, newEmail, type Reply } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';
const page = 'https://app.example.com';
const untrusted = { status: 403, json: { message: 'the origin of this page may not have a session cookie' } };

/** The cookie in a response, as a browser sends it back. */
function cookieOf({ headers }: Reply): string {
  return headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

describe('a session in a cookie', () => {
  const api = bootApi({ env: { CORS_ORIGINS: page } });
  const own = () => api().url;
  const from = (origin: string, cookie?: string) =>
    api().with({ origin, ...(cookie !== undefined && { cookie }) });

  async function signUp(): Promise<string> {
    const email = newEmail();
    await api().post('/users', { email, password });
    return email;
  }
  const open = async (client: Client, username: string, transport: object = { transport: 'cookie' }) =>
    client.post('/auth/sessions', { username, password, ...transport });
  const refresh = (origin: string, cookie: string) => from(origin, cookie).post('/auth/refresh');

  it('has its refresh token in `__Host-session`, and not in the body', async () => {
    const opened = await open(from(page), await signUp());
    expect([opened.status, Object.keys(opened.json)]).toEqual([201, ['access_token', 'expires_in']]);
    const [cookie = '', ...attributes] = opened.headers.getSetCookie().join().split('; ');
    expect(cookie).toMatch(/^__Host-session=[\w-]{92}$/);
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  it('has neither prefix nor `Secure` for a page on this machine', async () => {
    const opened = await open(from(own()), await signUp());
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[\w-]{92}; (?!.*Secure).*HttpOnly/),
    ]);
    const refreshed = await refresh(own(), cookieOf(opened));
    expect([refreshed.status, cookieOf(refreshed)]).toEqual([200, expect.stringMatching(/^session=/)]);
  });

  it('is refreshed without a body, which replaces the cookie', async () => {
    const opened = await open(from(page), await signUp());
    const refreshed = await refresh(page, `theme=dark; ${cookieOf(opened)}`);
    expect([refreshed.status, Object.keys(refreshed.json)]).toEqual([200, ['access_token', 'expires_in']]);
    expect(cookieOf(refreshed)).toMatch(/^__Host-session=/);
    expect(cookieOf(refreshed)).not.toBe(cookieOf(opened));
    const user = await api().as(refreshed.json.access_token).get('/users/me');
    expect(user.status).toBe(200);
  });

  it('leaves a session in bodies as it was', async () => {
    for (const transport of [{}, { transport: 'body' }]) {
      const opened = await open(api(), await signUp(), transport);
      expect(Object.keys(opened.json)).toEqual(['access_token', 'refresh_token', 'expires_in']);
      const { refresh_token } = opened.json;
      const refreshed = await from('https://evil.example').post('/auth/refresh', { refresh_token });
      expect([refreshed.status, typeof refreshed.json.refresh_token]).toEqual([200, 'string']);
      for (const reply of [opened, refreshed]) expect(reply.headers.getSetCookie()).toEqual([]);
    }
    const login = await api().post('/auth/login', {
      username: await signUp(),
      password,
      transport: 'cookie',
    });
    expect(login.status).toBe(400);
  });

  it.each([
    ['https://evil.example.com', {}],
    ['http://app.example.com', {}],
    ['null', {}],
    [`${page}, ${page}`, {}],
    [page, { 'sec-fetch-site': 'cross-site' }],
    [undefined, {}],
  ])('is neither opened nor refreshed by a page of %s %j', async (origin, headers) => {
    const username = await signUp();
    const opened = await open(from(page), username);
    const foreign = api().with({ ...headers, ...(origin !== undefined && { origin }) });
    expect(await open(foreign, username)).toMatchObject(untrusted);
    const refused = await foreign.with({ cookie: cookieOf(opened) }).post('/auth/refresh');
    expect(refused).toMatchObject(untrusted);
    expect(refused.headers.getSetCookie()).toEqual([]);
    // Only the session of the trusted page exists, and its token was not used.
    const { access_token } = opened.json;
    expect((await api().as(access_token).get('/auth/sessions')).json.items).toHaveLength(1);
    expect((await refresh(page, cookieOf(opened))).status).toBe(200);
  });

  it('is a 401 without a cookie, with an invalid cookie, or with two', async () => {
    const [mine, planted] = [
      cookieOf(await open(from(page), await signUp())),
      cookieOf(await open(from(page), await signUp())),
    ];
    const both = [`${mine}; ${planted}`, `${planted}; ${mine}`];
    const without = mine.replace('__Host-', '');
    for (const cookie of ['', 'theme=dark', '__Host-session=', ...both, `\u00a0${mine}`, without])
      expect([cookie, (await refresh(page, cookie)).status]).toEqual([cookie, 401]);
    // A subdomain can plant a cookie without the prefix.
    expect((await refresh(page, `${without}; ${mine}`)).status).toBe(200);
    expect((await api().post('/auth/refresh', {})).status).toBe(401);
  });

  it('authenticates no other route', async () => {
    const cookie = cookieOf(await open(from(page), await signUp()));
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['POST', '/auth/logout'],
      ['DELETE', '/auth/sessions'],
    ] as const)
      expect((await from(page, cookie).send(method, path)).status).toBe(401);
  });

  it('ends at sign-out, which deletes the cookie of that account alone', async () => {
    for (const [method, path] of [
      ['POST', '/auth/logout'],
      ['DELETE', '/auth/sessions'],
    ] as const) {
      const [opened, second] = [
        await open(from(page), await signUp()),
        await open(from(page), await signUp()),
      ];
      const caller = (cookie: string) => from(page, cookie).as(opened.json.access_token);
      const kept = await caller(cookieOf(second)).send(method, path);
      expect([kept.status, kept.headers.getSetCookie()]).toEqual([204, []]);
      expect((await refresh(page, cookieOf(opened))).status).toBe(401);
      const again = await open(from(page), await signUp());
      const ended = await from(page, cookieOf(again)).as(again.json.access_token).send(method, path);
      expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=; Max-Age=0; /)]);
    }
  });

  it('ends when the password changes elsewhere, or an operator revokes all sessions', async () => {
    const username = await signUp();
    const [first, second] = [await open(from(page), username), await open(from(page), username)];
    const changed = await api()
      .as(second.json.access_token)
      .post('/auth/password-changes', { password: `${password} again` });
    expect(changed.status).toBe(204);
    expect((await refresh(page, cookieOf(first))).status).toBe(401);
    const kept = await refresh(page, cookieOf(second));
    expect(kept.status).toBe(200);
    await api().as(kept.json.access_token).delete('/auth/sessions');
    expect((await refresh(page, cookieOf(kept))).status).toBe(401);
  });

  it('is a transport of every route that sends tokens of a session', async () => {
    const { paths, components } = (await api().get('/openapi.json')).json;
    const opening = Object.entries<any>(paths).filter(([, { post }]) =>
      JSON.stringify(post?.responses ?? {}).includes('#/components/schemas/SessionTokens"'),
    );
    expect(opening.length).toBeGreaterThan(4);
    for (const [path, { post }] of opening) {
      const { $ref } = post.requestBody.content['application/json'].schema;
      const { properties } = components.schemas[$ref.split('/').at(-1)];
      const isRefresh = path === '/auth/refresh';
      expect([path, properties.transport?.enum]).toEqual([path, isRefresh ? undefined : ['body', 'cookie']]);
      expect(Object.keys(post.responses)).toContain('403');
    }
  });
});
