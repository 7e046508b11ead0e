import { Administration, AuditLog } from '@app/accounts';
import { IdentityProvider } from '@app/accounts/testing';
import { createClient } from '@app/client';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type Client, gatherLog, insertEmailLinks, newEmail, type Reply } from '@app/service/testing';
import { decodeJwt } from 'jose';
import { generateSync } from 'otplib/functional';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';

describe('sign-in through an identity provider', () => {
  const env: Record<string, string> = { SIGN_UP_ADDRESS_LIMIT: 'off', SIGN_IN_ADDRESS_LIMIT: 'off' };
  const { lines, logs } = gatherLog();
  let acme: IdentityProvider;
  let trusted: IdentityProvider;
  let closed: IdentityProvider;
  let absent: IdentityProvider;
  let texts: IdentityProvider;
  beforeAll(async () => {
    [acme, trusted, closed, absent, texts] = await Promise.all(
      ['acme', 'trusted', 'closed', 'absent', 'texts'].map((name) => IdentityProvider.start(name)),
    );
    await absent.stop();
    Object.assign(env, acme.env, trusted.env, closed.env, absent.env, texts.env, {
      OIDC_TRUSTED_TRUST_EMAIL: 'on',
      OIDC_TEXTS_TRUST_EMAIL: 'on',
      OIDC_TEXTS_EMAIL_VERIFIED_TEXT: 'on',
      OIDC_CLOSED_CREATE_ACCOUNTS: 'off',
      OIDC_CLOSED_AUTH_TIME: 'off',
    });
  });
  afterAll(() => Promise.all([acme, trusted, closed, texts].map((provider) => provider.stop())));
  const api = bootApi({ env, logs });
  const clock = useFakeClock(api);
  // The real one would go back behind the tokens of the tests before.
  beforeEach(() => clock.pass(0));

  const db = () => api.app().get(Database, { strict: false });
  const eventsOf = (accountId: number) =>
    api.app().get(AuditLog, { strict: false }).list({ limit: 50, offset: 0 }, { accountId });
  const events = async (accountId: number) => (await eventsOf(accountId)).map(({ kind }) => kind);
  const detailOf = async (accountId: number, kind: string) =>
    JSON.parse((await eventsOf(accountId)).find((event) => event.kind === kind)?.detail ?? 'null');

  let subjects = 0;
  /** A user of a provider; without an e-mail a new one. */
  function userOf(
    provider: IdentityProvider,
    { email = newEmail(), verified = true }: { email?: string; verified?: boolean | string } = {},
  ) {
    subjects += 1;
    const subject = `subject-${subjects}`;
    provider.users.set(subject, { email, email_verified: verified });
    return { subject, email };
  }

  const begin = async () => (await api().post('/auth/providers/acme/authorize')).json;
  const complete = (body: object, provider = acme): Promise<Reply> =>
    api().post(`/auth/providers/${provider.name}/complete`, body);

  async function signIn(subject: string, provider = acme): Promise<Reply> {
    return complete(await provider.responseFor(api(), subject), provider);
  }
  const profileOf = async ({ json }: Reply) => (await api().as(json.access_token).get('/auth/profile')).json;

  async function link(client: Client, subject: string, provider = acme): Promise<Reply> {
    const body = await provider.responseFor(client, subject, 'link');
    return client.post(`/auth/providers/${provider.name}/link/complete`, body);
  }
  async function signUp(email = newEmail()): Promise<{ email: string; id: number; client: Client }> {
    const { headers } = await api().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { email, id, client: await api().signIn(email, password) };
  }
  const verify = (id: number) =>
    db().updateTable('account').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute();
  const factorsOf = async (client: Client) => (await client.get('/auth/factors')).json.factors;

  it('lists the providers for everybody', async () => {
    expect(
      (await api().get('/auth/providers')).json.providers.map(({ name }: { name: string }) => name),
    ).toEqual(expect.arrayContaining(['acme', 'trusted', 'absent']));
  });

  it('gives an identity an account without a password at first sight, and the same one later', async () => {
    const { subject, email } = userOf(acme);
    const first = await signIn(subject);
    expect(first.status).toBe(201);
    const { userId, username } = await profileOf(first);
    expect(username).toBe(email);
    expect((await profileOf(await signIn(subject))).userId).toBe(userId);
    expect(await factorsOf(api().as(first.json.access_token))).toMatchObject([
      { id: 'identity-provider-acme', factor: 'identity-provider', name: 'acme' },
    ]);
    expect(await detailOf(userId, 'account-created')).toEqual({ issuer: acme.issuer, subject });
    expect(await detailOf(userId, 'sign-in')).toMatchObject({ names: ['acme'] });
    expect((await api().post('/auth/login', { username: email, password: '!' })).status).toBe(401);
  });

  it('refreshes its session, and says nothing of how the provider verified the user', async () => {
    const { json } = await signIn(userOf(acme).subject);
    const refreshed = await api().post('/auth/refresh', { refresh_token: json.refresh_token });
    for (const { access_token: token } of [json, refreshed.json])
      expect(decodeJwt(token)).toMatchObject({ amr: [], acr: 'aal1' });
  });

  it('makes one account of first sign-ins at once', async () => {
    const { subject } = userOf(acme);
    const replies = await Promise.all(Array.from({ length: 6 }, () => signIn(subject)));
    const ids = await Promise.all(replies.map(async (reply) => (await profileOf(reply)).userId));
    expect(new Set(ids).size).toBe(1);
  });

  it('sends the user with PKCE, state and nonce, and stores none of them', async () => {
    const { url, request } = await begin();
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'sluice',
      redirect_uri: 'http://localhost:3000/sign-in/acme',
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    const rows = JSON.stringify(await db().selectFrom('challenge').selectAll().execute());
    for (const name of ['state', 'nonce']) expect(rows).not.toContain(searchParams.get(name));
    expect(rows).not.toContain(request);
  });

  describe('refuses with 401', () => {
    it('a response that was used', async () => {
      const body = await acme.responseFor(api(), userOf(acme).subject);
      const replies = await Promise.all([1, 2, 3].map(() => complete(body)));
      expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
        201, 401, 401,
      ]);
    });

    it('a code that was used, with the state of another sign-in', async () => {
      const [first, second] = [await begin(), await begin()];
      const { subject } = userOf(acme);
      const { code, iss } = await acme.signIn(first.url, subject);
      const otherParams = await acme.signIn(second.url, subject);
      expect(await complete({ request: second.request, ...otherParams, code, iss })).toMatchObject({
        status: 401,
      });
    });

    it('a response that another client began', async () => {
      const [mine, theirs] = [await begin(), await begin()];
      const params = await acme.signIn(theirs.url, userOf(acme).subject);
      expect(await complete({ request: mine.request, ...params })).toMatchObject({ status: 401 });
      const { state } = Object.fromEntries(new URL(mine.url).searchParams);
      expect(await complete({ request: (await begin()).request, ...params, state })).toMatchObject({
        status: 401,
      });
    });

    it('an ID token with another nonce', async () => {
      const { url, request } = await begin();
      const changed = new URL(url);
      changed.searchParams.set('nonce', 'another');
      expect(
        await complete({ request, ...(await acme.signIn(changed.href, userOf(acme).subject)) }),
      ).toMatchObject({ status: 401 });
    });

    it('a code of another challenge', async () => {
      const { url, request } = await begin();
      const changed = new URL(url);
      changed.searchParams.set('code_challenge', 'a'.repeat(43));
      expect(
        await complete({ request, ...(await acme.signIn(changed.href, userOf(acme).subject)) }),
      ).toMatchObject({ status: 401 });
    });

    it('the response of another provider, or of one that it does not name', async () => {
      const { subject } = userOf(acme);
      const [first, second, third] = [await begin(), await begin(), await begin()];
      const params = await acme.signIn(first.url, subject);
      expect(await complete({ request: first.request, ...params }, trusted)).toMatchObject({ status: 401 });
      expect(
        await complete({
          request: second.request,
          ...(await acme.signIn(second.url, subject)),
          iss: trusted.issuer,
        }),
      ).toMatchObject({ status: 401 });
      const { code, state } = await acme.signIn(third.url, subject);
      expect(await complete({ request: third.request, code, state })).toMatchObject({ status: 401 });
    });

    it('a response after ten minutes', async () => {
      const body = await acme.responseFor(api(), userOf(acme).subject);
      clock.pass(600_001);
      expect(await complete(body)).toMatchObject({ status: 401 });
    });

    it('the response to a link', async () => {
      const { client } = await signUp();
      expect(await complete(await acme.responseFor(client, userOf(acme).subject, 'link'))).toMatchObject({
        status: 401,
      });
    });
  });

  it('says for the log what failed, without code or token', async () => {
    const body = await acme.responseFor(api(), userOf(acme).subject);
    await complete({ ...body, iss: 'https://other.example.com' });
    const text = JSON.stringify(lines());
    expect(text).toMatch(/sign-in through an identity provider failed: acme: .*iss/);
    for (const secret of [body.request, body.code, body.state, acme.clientSecret])
      expect(text).not.toContain(secret);
  });

  it('survives the rotation of the keys', async () => {
    const { subject } = userOf(acme);
    expect((await signIn(subject)).status).toBe(201);
    await acme.rotateKeys();
    // Keys are read again for an unknown one, once a minute.
    clock.pass(61_000);
    expect((await signIn(subject)).status).toBe(201);
  });

  it('requires the second factor of the account', async () => {
    const { client } = await signUp();
    const { subject } = userOf(acme);
    expect((await link(client, subject)).status).toBe(204);
    const { secret } = (await client.post('/auth/factors/totp')).json;
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
    expect((await client.post('/auth/factors/totp/confirm', { code })).status).toBe(200);
    const { status, json } = await signIn(subject);
    expect([status, json.mfa_required, json.factors]).toEqual([200, true, ['totp', 'recovery-code']]);
  });

  it('is a 403 for a disabled account', async () => {
    const { subject } = userOf(acme);
    const { userId } = await profileOf(await signIn(subject));
    await api.app().get(Administration, { strict: false }).change(userId, { disabled: true });
    expect(await signIn(subject)).toMatchObject({ status: 403 });
  });

  describe('by e-mail', () => {
    it('is a 409 if an account has it: the provider is not trusted, or one of both did not verify it', async () => {
      const [unverified, verified] = [await signUp(), await signUp()];
      await verify(verified.id);
      for (const [provider, email, isVerified] of [
        [acme, verified.email, true],
        [trusted, unverified.email, true],
        [trusted, verified.email, false],
      ] as const) {
        const { subject } = userOf(provider, { email, verified: isVerified });
        const { status, json } = await signIn(subject, provider);
        expect([status, json.message]).toEqual([409, expect.stringContaining('an account has this e-mail')]);
      }
    });

    it('is linked to the account that has verified it, if the provider is trusted', async () => {
      const { id, email, client } = await signUp();
      await verify(id);
      const { subject } = userOf(trusted, { email: email.toUpperCase() });
      expect((await profileOf(await signIn(subject, trusted))).userId).toBe(id);
      expect(await factorsOf(client)).toMatchObject([{ id: 'password' }, { name: 'trusted' }]);
      expect(await events(id)).toContain('factor-enrolled');
    });

    it.each([
      ['ß', (name: string) => `stra\u00dfe${name}`, 'strasse'],
      ['a long s', (name: string) => `\u017fam${name}`, 'sam'],
      ['the Kelvin sign', (name: string) => `\u212aim${name}`, 'kim'],
      ['a dotless i', (name: string) => `m\u0131ke${name}`, 'mike'],
      ['wide letters', (name: string) => `\uff41\uff44\uff41${name}`, 'ada'],
      ['a composition', (name: string) => `rene\u0301${name}`, 'ren\u00e9'],
    ])('is not linked to a similar one: %s', async (_, spell, usual) => {
      const name = `-${newEmail()}`;
      const { id, client } = await signUp(`${usual}${name}`);
      await verify(id);
      const { status, json } = await signIn(userOf(trusted, { email: spell(name) }).subject, trusted);
      expect([status, json.message]).toEqual([409, expect.stringContaining('an account has this e-mail')]);
      expect(await factorsOf(client)).toMatchObject([{ id: 'password' }]);
    });

    it('is a 409 while a former owner may get it back, as everywhere', async () => {
      const { id, client, email } = await signUp();
      await verify(id);
      await insertEmailLinks(api.app(), id);
      expect((await client.patch(`/users/${id}`, { email: newEmail() })).status).toBe(200);
      for (const provider of [trusted, acme])
        expect(await signIn(userOf(provider, { email }).subject, provider)).toMatchObject({ status: 409 });
      expect(await api().post('/users', { email, password })).toMatchObject({ status: 409 });
      const stranger = await signUp();
      expect(await stranger.client.patch(`/users/${stranger.id}`, { email })).toMatchObject({ status: 409 });
      expect(await client.patch(`/users/${id}`, { email })).toMatchObject({ status: 200 });
    });

    it('counts as verified only if a trusted provider says so', async () => {
      const isVerified = async (provider: IdentityProvider, verified: boolean | string) => {
        const { subject } = userOf(provider, { verified });
        const { userId } = await profileOf(await signIn(subject, provider));
        const row = db().selectFrom('account').select('emailVerifiedAt').where('id', '=', userId);
        return (await row.executeTakeFirstOrThrow()).emailVerifiedAt !== null;
      };
      expect([
        await isVerified(trusted, true),
        await isVerified(trusted, false),
        await isVerified(trusted, 'true'),
        await isVerified(texts, 'true'),
        await isVerified(texts, 'false'),
        await isVerified(acme, true),
      ]).toEqual([true, false, false, true, false, false]);
    });
  });

  describe('is linked', () => {
    it('to the account of a recent sign-in, which it opens from then on', async () => {
      const { id, client } = await signUp();
      const { subject } = userOf(acme);
      expect((await link(client, subject)).status).toBe(204);
      expect(await detailOf(id, 'factor-enrolled')).toEqual({ factor: 'identity-provider', name: 'acme' });
      expect((await profileOf(await signIn(subject))).userId).toBe(id);
      expect((await client.get('/users/me/export')).json.identities).toMatchObject([{ issuer: acme.issuer }]);
      const { json } = await signIn(subject);
      clock.pass(901_000);
      const refreshed = await api().post('/auth/refresh', { refresh_token: json.refresh_token });
      const late = await api().as(refreshed.json.access_token).post('/auth/providers/trusted/link');
      expect(late.status).toBe(403);
    });

    it('to one account, and an account to one identity of a provider', async () => {
      const [ada, bob] = [await signUp(), await signUp()];
      const { subject } = userOf(acme);
      expect((await link(ada.client, subject)).status).toBe(204);
      expect((await link(bob.client, subject)).status).toBe(409);
      expect((await link(ada.client, userOf(acme).subject)).status).toBe(409);
      expect((await link(ada.client, userOf(trusted).subject, trusted)).status).toBe(204);
    });

    it('by whoever began it alone', async () => {
      const [ada, bob] = [await signUp(), await signUp()];
      const body = await acme.responseFor(ada.client, userOf(acme).subject, 'link');
      const stolen = await bob.client.post('/auth/providers/acme/link/complete', body);
      expect([stolen.status, await factorsOf(bob.client)]).toMatchObject([400, [{ id: 'password' }]]);
    });

    it('until its owner ends it, which is not possible for the last way to sign in', async () => {
      const { client } = await signUp();
      const { subject } = userOf(acme);
      await link(client, subject);
      expect((await client.delete('/auth/factors/identity-provider-acme')).status).toBe(204);
      expect(await factorsOf(client)).toMatchObject([{ id: 'password' }]);
      const { json } = await signIn(subject);
      const secondClient = api().as(json.access_token);
      expect((await secondClient.delete('/auth/factors/identity-provider-acme')).status).toBe(409);
    });
  });

  describe('is as recent as the provider says', () => {
    /** Opens a browser, in which the user may already be signed in at the provider. */
    async function signInFrom(browser: Map<string, string>, subject: string, prompt = '') {
      const { url, request } = (await api().post(`/auth/providers/acme/authorize${prompt}`)).json;
      return complete({ request, ...(await acme.signIn(url, subject, browser)) });
    }
    const begins = async (token: string) =>
      (await api().as(token).post('/auth/providers/trusted/link')).status;

    it('and not as the sign-in here: who was signed in there for long is verified again by `prompt=login`', async () => {
      const [browser, { subject }] = [new Map<string, string>(), userOf(acme)];
      const first = await signInFrom(browser, subject);
      expect(await begins(first.json.access_token)).toBe(200);
      clock.pass(901_000);
      const silent = await signInFrom(browser, subject);
      const refreshed = await api().post('/auth/refresh', { refresh_token: silent.json.refresh_token });
      for (const { json } of [silent, refreshed])
        expect([await begins(json.access_token), decodeJwt(json.access_token).auth_time]).toEqual([
          403,
          decodeJwt(first.json.access_token).auth_time,
        ]);
      const again = await signInFrom(browser, subject, '?prompt=login');
      expect(await begins(again.json.access_token)).toBe(200);
    });

    it('and not at all if it says nothing, unless the setting allows that', async () => {
      const timeless = async (provider: IdentityProvider, subject: string) => {
        const { url, request } = (await api().post(`/auth/providers/${provider.name}/authorize`)).json;
        const changed = new URL(url);
        changed.searchParams.delete('max_age');
        return complete({ request, ...(await provider.signIn(changed.href, subject)) }, provider);
      };
      const { client } = await signUp();
      const { subject } = userOf(closed);
      expect((await link(client, subject, closed)).status).toBe(204);
      const replies = [await timeless(acme, userOf(acme).subject), await timeless(closed, subject)];
      expect(await Promise.all(replies.map(({ json }) => begins(json.access_token)))).toEqual([403, 200]);
      expect(decodeJwt(replies[0]?.json.access_token).auth_time).toBe(0);
    });
  });

  it('is a 403 for an identity without an account, where the setting creates none', async () => {
    const { subject, email } = userOf(closed);
    const refused = await signIn(subject, closed);
    expect([refused.status, refused.json.message]).toEqual([
      403,
      expect.stringContaining('this identity has no account'),
    ]);
    const matching = db().selectFrom('account').select('id').where('email', '=', email);
    expect(await matching.execute()).toEqual([]);
    const { client, id } = await signUp();
    expect((await link(client, subject, closed)).status).toBe(204);
    expect((await profileOf(await signIn(subject, closed))).userId).toBe(id);
  });

  it('is not possible after a reset of the password, which ends the links', async () => {
    const { client, id, email } = await signUp();
    const { subject } = userOf(closed);
    expect((await link(client, subject, closed)).status).toBe(204);
    await api().post('/auth/password-resets', { username: email });
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 100, offset: 0 });
    const mail = mails.find(({ kind, recipient }) => kind === 'password-reset' && recipient === email);
    const token = new URL(mail?.text?.link ?? '').hash.slice('#token='.length);
    const reset = await api().post('/auth/password-resets/complete', { token, password: `${password}!` });
    expect([reset.status, (await signIn(subject, closed)).status]).toEqual([204, 403]);
    const rows = db().selectFrom('trustedIdentity').select('hash').where('accountId', '=', id);
    expect(await rows.execute()).toEqual([]);
  });

  it('does not open the former account of an identity that was deleted: it gets a new one', async () => {
    const { subject } = userOf(acme);
    const first = await signIn(subject);
    const { userId } = await profileOf(first);
    expect((await api().as(first.json.access_token).delete('/users/me')).status).toBe(204);
    const again = await profileOf(await signIn(subject));
    expect(again.userId).not.toBe(userId);
  });

  it('is a 503 while the provider is down; other ways are unaffected', async () => {
    const down = await api().post('/auth/providers/absent/authorize');
    expect([down.status, Number(down.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
    const { email } = await signUp();
    expect((await api().post('/auth/sessions', { username: email, password })).status).toBe(201);

    const body = await acme.responseFor(api(), userOf(acme).subject);
    await acme.stop();
    expect((await complete(body)).status).toBe(503);
    expect((await signIn(userOf(trusted).subject, trusted)).status).toBe(201);
    await acme.resume();
    expect((await signIn(userOf(acme).subject)).status).toBe(201);
  });

  it('is a call of the typed client', async () => {
    const { session } = createClient({ baseUrl: api().url });
    const { subject } = userOf(acme);
    const { url, request } = await session.authorize('acme');
    const params = await acme.signIn(url, subject);
    const back = `http://localhost:3000/sign-in/acme?${new URLSearchParams({ ...params }).toString()}`;
    await session.signInThrough('acme', request, back);
    expect(session.isOpen).toBe(true);
    await expect(session.signInThrough('acme', request, back)).rejects.toMatchObject({ status: 401 });
  });

  it('is a 404 through a provider that there is not', async () => {
    expect((await api().post('/auth/providers/other/authorize')).status).toBe(404);
  });
});
