import { TrustedIdentitiesStore } from '@app/accounts';
import { FakeIssuer } from '@app/accounts/testing';
import { Database } from '@app/persistence';
import { describeRoutes } from '@app/service';
import { type Client, newEmail } from '@app/service/testing';
import { generateSync } from 'otplib/functional';
import { bootApi } from '../testing/boot-api';
import { bootPair } from '../testing/boot-pair';

const password = 'correct horse battery staple';

describe('a caller by a trusted issuer, of an account that signs in here as well', () => {
  const env: Record<string, string> = { SIGN_IN_ADDRESS_LIMIT: 'off', SIGN_UP_ADDRESS_LIMIT: 'off' };
  let issuer: FakeIssuer;
  let robots: FakeIssuer;
  beforeAll(async () => {
    [issuer, robots] = await Promise.all([FakeIssuer.start(), FakeIssuer.start()]);
    env.TRUSTED_ISSUERS = [
      `${issuer.url} audience=shop-api leeway=1s two-factors=amr:mfa,acr:https://refeds.org/profile/mfa`,
      `${robots.url} audience=shop-api scopes=scope scope-map=read:read,write:write two-factors=amr:mfa`,
    ].join(' ');
  });
  afterAll(() => Promise.all([issuer.stop(), robots.stop()]));
  const api = bootApi({ env });

  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
  const tokenOf = (sub: string, claims: object = {}) =>
    issuer.sign({ sub, auth_time: seconds(0), ...claims });

  interface User {
    readonly id: number;
    readonly subject: string;
    readonly client: Client;
  }
  async function linkedUser(): Promise<User> {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    const subject = `subject-${id}`;
    const identities = api.app().get(TrustedIdentitiesStore, { strict: false });
    await identities.add({ issuer: issuer.url, subject }, id, api.app().get(Database, { strict: false }));
    return { id, subject, client: await api().signIn(email, password) };
  }
  async function enrolTotp(client: Client): Promise<void> {
    const { secret } = (await client.post('/auth/factors/totp')).json;
    const code = generateSync({ secret, epoch: seconds(0) });
    expect((await client.post('/auth/factors/totp/confirm', { code })).status).toBe(200);
  }
  const profileOf = async (token: string) => api().as(token).get('/auth/profile');

  it('is refused from the enrolment of a second factor until its end, unless the issuer verified two', async () => {
    const { subject, client, id } = await linkedUser();
    const before = await tokenOf(subject);
    expect((await profileOf(before)).json).toMatchObject({ userId: id });
    await enrolTotp(client);
    expect((await profileOf(before)).status).toBe(401);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
    for (const claims of [{}, { amr: ['pwd'] }, { acr: 'https://refeds.org/profile/sfa' }, { amr: 'mf a' }]) {
      const refused = await profileOf(await tokenOf(subject, claims));
      expect([refused.status, refused.json.message]).toEqual([403, 'a sign-in with two factors is needed']);
    }
    const byTwo = await tokenOf(subject, { amr: ['pwd', 'mfa'] });
    const alsoByTwo = await tokenOf(subject, { acr: 'https://refeds.org/profile/mfa' });
    for (const token of [byTwo, alsoByTwo])
      expect((await profileOf(token)).json).toMatchObject({ userId: id });

    expect((await client.delete('/auth/factors/totp')).status).toBe(204);
    expect((await profileOf(await tokenOf(subject))).json).toMatchObject({ userId: id });
    vi.useRealTimers();
  });

  it('cannot change how the account signs in, nor can a caller with scopes', async () => {
    // The routes of an organization do not exist for a caller who is no member.
    const closed = describeRoutes(api.app()).filter(
      ({ path, callers }) =>
        !path.includes(':organizationId') && callers.facets?.some(({ name }) => name === 'needsDirectSignIn'),
    );
    const claims = { sub: 'robot', auth_time: seconds(0), amr: ['mfa'], scope: 'read write' };
    for (const token of [await issuer.sign(claims), await robots.sign(claims)])
      for (const { method, path } of closed) {
        const reply = await api().as(token).send(method, path.replaceAll(/:\w+/g, '1'), {});
        expect([method, path, reply.json.message]).toEqual([method, path, 'a direct sign-in is needed']);
      }
    expect(closed.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /auth/factors/passkeys',
        'POST /auth/factors/totp/confirm',
        'POST /auth/factors/recovery-codes',
        'DELETE /auth/factors/:factor',
        'POST /auth/providers/:provider/link/complete',
        'POST /auth/password-changes',
        'POST /auth/email-verifications/complete',
        'PATCH /users/:id',
      ]),
    );
  });

  it('gives an API key at most the scopes of the token', async () => {
    const create = async (scope: string, body: object = {}) =>
      api()
        .as(await robots.sign({ sub: 'robot', auth_time: seconds(0), scope }))
        .post('/auth/api-keys', { name: 'robot', ...body });
    expect((await create('write')).json.scopes).toEqual(['write']);
    expect((await create('read write', { scopes: ['items:read'] })).json.scopes).toEqual(['items:read']);
    expect((await create('write', { scopes: ['read'] })).status).toBe(403);
  });
});

describe('tokens of a trusted issuer, at two instances', () => {
  const env: Record<string, string> = { SIGN_IN_ADDRESS_LIMIT: 'off', SIGN_UP_ADDRESS_LIMIT: 'off' };
  let issuer: FakeIssuer;
  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    Object.assign(env, {
      TRUSTED_ISSUERS: `${issuer.url} audience=shop-api leeway=1s`,
      OIDC_SHOP_ISSUER: issuer.url,
      OIDC_SHOP_CLIENT_ID: 'shop',
      OIDC_SHOP_CLIENT_SECRET: 'a client secret of the tests',
    });
  });
  afterAll(() => issuer.stop());
  const api = bootPair(env);

  const tokenOf = (sub: string, ageSeconds = 0) =>
    issuer.sign({ sub, iat: Math.floor(Date.now() / 1000) - ageSeconds });
  const accountsOf = (token: string) =>
    Promise.all(
      ([0, 1] as const).map(async (which) => {
        const { status, json } = await api(which).as(token).get('/auth/profile');
        return status === 200 ? json.userId : status;
      }),
    );
  async function signUp(): Promise<{ id: number; client: Client }> {
    const email = newEmail();
    const { headers } = await api(0).post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { id, client: await api(0).signIn(email, password) };
  }
  const link = (subject: string, id: number) =>
    api
      .app(0)
      .get(TrustedIdentitiesStore, { strict: false })
      .add({ issuer: issuer.url, subject }, id, api.app(0).get(Database, { strict: false }));
  const unlink = async (client: Client) =>
    expect((await client.delete('/auth/factors/identity-provider-shop')).status).toBe(204);

  it('that were issued before the identity was linked are refused, in whatever account it is', async () => {
    const [ada, bob] = [await signUp(), await signUp()];
    const early = await tokenOf('linked', 60);
    await link('linked', ada.id);
    const first = await tokenOf('linked');
    expect([await accountsOf(early), await accountsOf(first)]).toEqual([
      [401, 401],
      [ada.id, ada.id],
    ]);
    await unlink(ada.client);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
    await link('linked', bob.id);
    for (const token of [early, first])
      await vi.waitFor(async () => expect(await accountsOf(token)).toEqual([401, 401]), 1000);
    expect(await accountsOf(await tokenOf('linked'))).toEqual([bob.id, bob.id]);
    vi.useRealTimers();
  });

  it('end with the link of the identity, everywhere within a second, and create no other account', async () => {
    const { id, client } = await signUp();
    await link('unlinked', id);
    const token = await tokenOf('unlinked');
    expect(await accountsOf(token)).toEqual([id, id]);
    await unlink(client);
    expect((await api(0).as(token).get('/auth/profile')).status).toBe(401);
    await vi.waitFor(async () => expect(await accountsOf(token)).toEqual([401, 401]), 1000);
    expect(await accountsOf(await tokenOf('unlinked'))).toEqual([401, 401]);
  });

  it('that are older than the one that created the account are accepted', async () => {
    const [older, newer] = [await tokenOf('first', 200), await tokenOf('first')];
    const [id] = await accountsOf(newer);
    expect(await accountsOf(older)).toEqual([id, id]);
  });
});
