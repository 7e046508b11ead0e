import { AuditLog } from '@app/accounts';
import { SoftAuthenticator } from '@app/accounts/testing';
import { type Client, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const origin = 'https://app.example.com';

describe('a passkey', () => {
  const env = {
    SIGN_IN_ADDRESS_LIMIT: 'off',
    SIGN_UP_ADDRESS_LIMIT: 'off',
    PASSKEY_ORIGINS: `${origin},https://example.com`,
    PASSKEY_RP_ID: 'example.com',
  };
  const api = bootApi({ env });
  const clock = useFakeClock(api);
  beforeEach(() => clock.pass(0));

  interface User {
    readonly id: number;
    readonly credentials: { readonly username: string; readonly password: string };
    readonly client: Client;
  }

  async function signUp(): Promise<User> {
    const username = newEmail();
    const { headers } = await api().post('/users', { email: username, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { id, credentials: { username, password }, client: await api().signIn(username, password) };
  }

  const beginEnrolment = async ({ client }: User) =>
    (await client.post('/auth/factors/passkeys', {})).json.options;
  const confirm = (user: User, credential: object, name?: string) =>
    user.client.post('/auth/factors/passkeys/confirm', { credential, name });

  /** A user with a passkey. */
  async function enrol(user?: User, authenticator = new SoftAuthenticator(origin)) {
    const owner = user ?? (await signUp());
    const { status, json } = await confirm(owner, authenticator.create(await beginEnrolment(owner)));
    expect(status).toBe(200);
    return { ...owner, authenticator, factor: json.id, recoveryCodes: json.recoveryCodes };
  }

  const begin = async (body: object = {}) => (await api().post('/auth/passkeys', body)).json.options;
  const complete = (credential: object) => api().post('/auth/passkeys/complete', { credential });
  const signIn = async (authenticator: SoftAuthenticator) => complete(authenticator.get(await begin()));
  const pendingOf = async ({ credentials }: User) =>
    (await api().post('/auth/sessions', credentials)).json.mfa_token;
  const completePending = (mfa_token: string, credential?: object) =>
    api().post('/auth/sessions/complete', { mfa_token, factor: 'passkey', credential });

  describe('is enrolled', () => {
    it('by what the authenticator makes, and is listed by its name', async () => {
      const user = await signUp();
      const options = await beginEnrolment(user);
      expect(options).toMatchObject({
        rp: { id: 'example.com' },
        user: { name: user.credentials.username },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: [],
      });
      const { status, headers, json } = await confirm(
        user,
        new SoftAuthenticator(origin).create(options),
        'the key on my ring',
      );
      expect([status, headers.get('cache-control'), json.recoveryCodes.length]).toEqual([
        200,
        'no-store',
        10,
      ]);
      expect((await user.client.get('/auth/factors')).json.factors).toMatchObject([
        { id: 'password' },
        { id: json.id, factor: 'passkey', name: 'the key on my ring', remaining: null },
        { id: 'recovery-code' },
      ]);
      const events = await api
        .app()
        .get(AuditLog, { strict: false })
        .list({ limit: 9, offset: 0 }, { accountId: user.id });
      expect(events[0]).toMatchObject({ kind: 'factor-enrolled', detail: '{"factor":"passkey"}' });
    });

    it('once more, of another authenticator, without new recovery codes', async () => {
      const user = await enrol();
      const options = await beginEnrolment(user);
      expect(options.excludeCredentials).toHaveLength(1);
      const second = await enrol(user, new SoftAuthenticator('https://example.com'));
      expect(second.recoveryCodes).toEqual([]);
      for (const { authenticator } of [user, second]) expect((await signIn(authenticator)).status).toBe(201);
    });

    it('by no page of another origin, for no other domain, and by no unverified user', async () => {
      const user = await signUp();
      for (const deviation of [
        { origin: 'https://app.example.com.evil.example' },
        { origin: 'http://app.example.com' },
        { rpId: 'evil.example' },
        { isVerified: false },
        { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      ]) {
        const credential = new SoftAuthenticator(origin).create(await beginEnrolment(user), deviation);
        const { status, json } = await confirm(user, credential);
        expect([deviation, status, json.message]).toEqual([
          deviation,
          400,
          'this passkey could not be verified: begin again',
        ]);
      }
    });

    it('by each challenge once, of the same account, within five minutes', async () => {
      const [user, stranger] = [await signUp(), await signUp()];
      const options = await beginEnrolment(user);
      expect((await confirm(stranger, new SoftAuthenticator(origin).create(options))).status).toBe(400);
      expect((await confirm(user, new SoftAuthenticator(origin).create(options))).status).toBe(200);
      expect((await confirm(user, new SoftAuthenticator(origin).create(options))).status).toBe(400);
      const late = await beginEnrolment(stranger);
      clock.pass(5 * 60_000 + 1);
      const { username } = stranger.credentials;
      const later = { ...stranger, client: await api().signIn(username, password) };
      expect((await confirm(later, new SoftAuthenticator(origin).create(late))).status).toBe(400);
    });

    it('not by two accounts: an authenticator cannot bring its passkey to another one', async () => {
      const { authenticator } = await enrol();
      const stranger = await signUp();
      const credential = authenticator.create(await beginEnrolment(stranger));
      expect((await confirm(stranger, credential)).status).toBe(200);
      expect((await confirm(stranger, { ...credential })).status).toBe(400);
    });

    it('not by a thief with an access token of an older sign-in', async () => {
      const user = await signUp();
      const session = (await api().post('/auth/sessions', user.credentials)).json;
      clock.pass(16 * 60_000);
      const { json } = await api().post('/auth/refresh', { refresh_token: session.refresh_token });
      const thief = api().as(json.access_token);
      expect((await thief.post('/auth/factors/passkeys', {})).status).toBe(403);
    });
  });

  describe('signs in without a user name', () => {
    it('with claims that say that it verified the user', async () => {
      const { authenticator, id } = await enrol();
      const options = await begin();
      expect([options.allowCredentials ?? [], options.userVerification]).toEqual([[], 'required']);
      const { status, json } = await complete(authenticator.get(options));
      expect(status).toBe(201);
      const claims = JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString());
      expect(claims).toMatchObject({ sub: id, amr: ['hwk', 'user', 'mfa'], acr: 'aal2' });
      const client = api().as(json.access_token);
      expect((await client.get('/auth/sessions')).status).toBe(200);
    });

    it('by each challenge once, also of several requests at once', async () => {
      const { authenticator } = await enrol();
      const credential = authenticator.get(await begin());
      const replies = await Promise.all([1, 2, 3].map(() => complete(credential)));
      expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
        201, 401, 401,
      ]);
    });

    it.each([
      ['another page', { origin: 'https://evil.example' }],
      ['another domain', { rpId: 'evil.example' }],
      ['an unverified user', { isVerified: false }],
      ['another account', { userHandle: Buffer.from('account 1').toString('base64url') }],
      ['a challenge that was never made', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ])('not for %s', async (_whom, deviations) => {
      const { authenticator } = await enrol();
      const { status, json } = await complete(authenticator.get(await begin(), deviations));
      expect([status, json]).toEqual([401, { statusCode: 401, message: 'Unauthorized' }]);
      expect((await signIn(authenticator)).status).toBe(201);
    });

    it('not by a challenge of another kind, or of five minutes ago', async () => {
      const user = await enrol();
      const { authenticator } = user;
      const enrolment = await beginEnrolment(user);
      expect((await complete(authenticator.get({ ...enrolment, rpId: 'example.com' }))).status).toBe(401);
      const second = await begin({ mfa_token: await pendingOf(user) });
      expect((await complete(authenticator.get(second))).status).toBe(401);
      const late = await begin();
      clock.pass(5 * 60_000 + 1);
      expect((await complete(authenticator.get(late))).status).toBe(401);
    });

    it('not by a clone, once the other one has counted further', async () => {
      const { authenticator } = await enrol();
      const clone = authenticator.clone();
      expect((await signIn(authenticator)).status).toBe(201);
      expect((await signIn(clone)).status).toBe(401);
      const silent = new SoftAuthenticator(origin, false);
      await enrol(undefined, silent);
      for (const _ of [1, 2]) expect((await signIn(silent)).status).toBe(201);
    });

    it('not after it was ended', async () => {
      const user = await enrol();
      const second = await enrol(user, new SoftAuthenticator(origin));
      expect((await user.client.delete(`/auth/factors/${second.factor}`)).status).toBe(204);
      expect((await signIn(second.authenticator)).status).toBe(401);
      expect((await signIn(user.authenticator)).status).toBe(201);
    });

    it('not by what is no credential', async () => {
      for (const credential of [{}, { id: '', rawId: '', type: '', response: {} }, { response: null }])
        expect((await complete(credential)).status).toBe(401);
      expect((await api().post('/auth/passkeys/complete', { credential: 'text' })).status).toBe(400);
      expect((await api().post('/auth/passkeys', { mfa_token: 'nothing' })).status).toBe(401);
    });
  });

  describe('is a second factor', () => {
    it('after the password, which is not enough any more', async () => {
      const user = await enrol();
      const { status, json } = await api().post('/auth/sessions', user.credentials);
      expect([status, json.factors]).toEqual([200, ['passkey', 'recovery-code']]);
      const options = await begin({ mfa_token: json.mfa_token });
      expect(options.allowCredentials).toHaveLength(1);
      const credential = user.authenticator.get(options, { isVerified: false });
      const completed = await completePending(json.mfa_token, credential);
      expect(completed.status).toBe(201);
      const claims = JSON.parse(
        Buffer.from(completed.json.access_token.split('.')[1], 'base64url').toString(),
      );
      expect(claims.amr).toEqual(['pwd', 'hwk', 'user', 'mfa']);
      expect((await completePending(json.mfa_token, credential)).status).toBe(401);
      expect((await api().post('/auth/login', user.credentials)).status).toBe(403);
    });

    it('of its own account alone', async () => {
      const [user, stranger] = [await enrol(), await enrol()];
      const token = await pendingOf(user);
      const options = await begin({ mfa_token: token });
      expect((await completePending(token, stranger.authenticator.get(options))).status).toBe(401);
      const foreign = await begin({ mfa_token: await pendingOf(stranger) });
      expect((await completePending(token, user.authenticator.get(foreign))).status).toBe(401);
      expect((await completePending(token)).status).toBe(401);
    });

    it('in whose place a recovery code is accepted', async () => {
      const user = await enrol();
      const { status } = await api().post('/auth/sessions/complete', {
        mfa_token: await pendingOf(user),
        factor: 'recovery-code',
        code: user.recoveryCodes[0],
      });
      expect(status).toBe(201);
    });
  });
});
