import { AccountExport, Administration, AuditLog, FactorEnrolments } from '@app/accounts';
import { createClient } from '@app/client';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type Client, gatherLog, newEmail, signInWithFactor, totpCode } from '@app/service/testing';
import { generateSync } from 'otplib/functional';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const STEP_MS = 30_000;

describe('an authenticator application as second factor', () => {
  const { lines, logs } = gatherLog();
  const api = bootApi({
    env: { SIGN_IN_ADDRESS_LIMIT: 'off', SIGN_UP_ADDRESS_LIMIT: 'off' },
    logs,
  });
  const clock = useFakeClock(api);
  // The real one would go back behind the tokens of the tests before.
  beforeEach(() => clock.pass(0));
  const db = () => api.app().get(Database, { strict: false });

  interface User {
    readonly id: number;
    readonly credentials: { readonly username: string; readonly password: string };
    readonly client: Client;
  }
  interface Enrolled extends User {
    readonly secret: string;
    readonly recoveryCodes: readonly string[];
  }

  async function signUp(): Promise<User> {
    const username = newEmail();
    const { headers } = await api().post('/users', { email: username, password });
    const client = await api().signIn(username, password);
    return {
      id: Number(headers.get('location')?.split('/').at(-1)),
      credentials: { username, password },
      client,
    };
  }

  const codeOf = (secret: string, ms = 0) =>
    generateSync({ secret, epoch: Math.floor((Date.now() + ms) / 1000) });

  /** The code that confirms it is used; the next one is valid after a step. */
  async function enrol(user?: User): Promise<Enrolled> {
    const owner = user ?? (await signUp());
    const { secret } = (await owner.client.post('/auth/factors/totp')).json;
    const { status, json } = await owner.client.post('/auth/factors/totp/confirm', { code: codeOf(secret) });
    expect(status).toBe(200);
    clock.pass(STEP_MS);
    return { ...owner, secret, recoveryCodes: json.recoveryCodes };
  }

  const begin = ({ credentials }: User) => api().post('/auth/sessions', credentials);
  const signIn = (user: User, code?: string) =>
    code === undefined ? begin(user) : signInWithFactor(api(), user.credentials, code);
  const complete = async (mfa_token: string, code: string, factor = 'totp') =>
    (await api().post('/auth/sessions/complete', { mfa_token, factor, code })).status;
  const factorsOf = async ({ client }: User) => (await client.get('/auth/factors')).json.factors;
  const sorted = (replies: readonly { readonly status: number }[]) =>
    replies.map(({ status }) => status).toSorted((left, right) => left - right);
  const events = async (accountId: number) =>
    (await api.app().get(AuditLog, { strict: false }).list({ limit: 50, offset: 0 }, { accountId })).map(
      ({ kind }) => kind,
    );

  describe('is enrolled', () => {
    it('by a secret that is shown once, as text, URI and QR code', async () => {
      const { client, credentials } = await signUp();
      expect((await client.post('/auth/factors/totp')).json).not.toHaveProperty('qr');
      const { status, headers, json } = await client.post('/auth/factors/totp', { qr: true });
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      const uri = new URL(json.uri);
      expect(uri.protocol + uri.host).toBe('otpauth:totp');
      expect(decodeURIComponent(uri.pathname)).toBe(`/localhost:${credentials.username}`);
      expect(uri.searchParams.get('secret')).toBe(json.secret);
      expect(json.qr).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>$/);
      expect((await client.get('/auth/factors')).json.factors).toMatchObject([{ id: 'password' }]);
    });

    it('ten times a minute at most', async () => {
      const { client } = await signUp();
      const replies = await Promise.all(Array.from({ length: 12 }, () => client.post('/auth/factors/totp')));
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(2);
    });

    it('by a code, from which on sign-ins require one', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/factors/totp')).json;
      expect((await signIn(user)).status).toBe(201);
      const { json } = await user.client.post('/auth/factors/totp/confirm', { code: codeOf(secret) });
      expect(new Set(json.recoveryCodes).size).toBe(10);
      clock.pass(STEP_MS);
      const pending = await signIn(user);
      expect([pending.status, pending.json]).toEqual([
        200,
        {
          mfa_required: true,
          factors: ['totp', 'recovery-code'],
          mfa_token: expect.stringMatching(/^[\w-]{43}$/),
        },
      ]);
      const { status, json: tokens } = await api().post('/auth/sessions/complete', {
        mfa_token: pending.json.mfa_token,
        factor: 'totp',
        code: codeOf(secret),
      });
      expect([status, Object.keys(tokens)]).toEqual([201, ['access_token', 'refresh_token', 'expires_in']]);
      const client = api().as(tokens.access_token);
      expect((await client.get('/auth/profile')).json.userId).toBe(user.id);
      expect((await client.get('/auth/factors')).json.factors).toEqual([
        {
          id: 'password',
          factor: 'password',
          name: null,
          createdAt: expect.stringMatching(/Z$/),
          remaining: null,
        },
        { id: 'totp', factor: 'totp', name: null, createdAt: expect.stringMatching(/Z$/), remaining: null },
        { id: 'recovery-code', factor: 'recovery-code', name: null, createdAt: null, remaining: 10 },
      ]);
      expect(await events(user.id)).toContain('factor-enrolled');
    });

    it('with claims of both factors, also after a refresh', async () => {
      const user = await enrol();
      const { json } = await signIn(user, codeOf(user.secret));
      const refreshed = await api().post('/auth/refresh', { refresh_token: json.refresh_token });
      for (const { access_token } of [json, refreshed.json])
        expect(claimsOf(access_token)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
      const { access_token } = (await signIn(await signUp())).json;
      expect(claimsOf(access_token)).toMatchObject({ amr: ['pwd'], acr: 'aal1' });
    });

    it('without a login, which has no second step', async () => {
      const user = await enrol();
      const { status, json } = await api().post('/auth/login', user.credentials);
      expect([status, json.message]).toEqual([403, 'a second factor is needed: sign in with a session']);
      const wrong = await api().post('/auth/login', { ...user.credentials, password: 'not the password' });
      expect(wrong.status).toBe(401);
    });

    it('twice at once with one secret that works', async () => {
      const user = await signUp();
      const begun = await Promise.all([
        user.client.post('/auth/factors/totp'),
        user.client.post('/auth/factors/totp'),
      ]);
      const statuses = [];
      for (const { json } of begun) {
        const confirmed = await user.client.post('/auth/factors/totp/confirm', { code: codeOf(json.secret) });
        statuses.push(confirmed.status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect((await user.client.post('/auth/factors/totp')).status).toBe(409);
    });

    it('by one of two confirmations at once', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/factors/totp')).json;
      const body = { code: codeOf(secret) };
      const replies = await Promise.all(
        [1, 2].map(() => user.client.post('/auth/factors/totp/confirm', body)),
      );
      expect(sorted(replies)).toEqual([200, 409]);
      expect(await factorsOf(user)).toMatchObject([{}, {}, { remaining: 10 }]);
    });

    it('by no code of another secret, nor by more than ten in a quarter of an hour', async () => {
      const [user, stranger] = [await signUp(), await signUp()];
      const { secret } = (await user.client.post('/auth/factors/totp')).json;
      const foreign = (await stranger.client.post('/auth/factors/totp')).json.secret;
      const send = async (code: string) =>
        (await user.client.post('/auth/factors/totp/confirm', { code })).status;
      for (let attempt = 0; attempt < 10; attempt += 1) expect(await send(codeOf(foreign))).toBe(400);
      expect(await send(codeOf(secret))).toBe(429);
      expect((await signIn(user)).status).toBe(201);
    });

    it('not by a thief with an access token of an older sign-in', async () => {
      const user = await signUp();
      const session = (await signIn(user)).json;
      clock.pass(16 * 60_000);
      const refreshed = await api().post('/auth/refresh', { refresh_token: session.refresh_token });
      const thief = api().as(refreshed.json.access_token);
      for (const path of ['/auth/factors/totp', '/auth/factors/totp/confirm', '/auth/factors/recovery-codes'])
        expect((await thief.post(path, { code: '000000' })).json.message).toBe('a recent sign-in is needed');
      expect((await thief.delete('/auth/factors/totp')).status).toBe(403);
    });

    it('not by a sign-in that was revoked meanwhile', async () => {
      const user = await signUp();
      await user.client.post('/auth/logout');
      expect((await user.client.post('/auth/factors/totp')).status).toBe(401);
    });

    it('not if it was abandoned: an hour later no code confirms it', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/factors/totp')).json;
      clock.pass(61 * 60_000);
      const later = await api().signIn(user.credentials.username, password);
      expect((await later.post('/auth/factors/totp/confirm', { code: codeOf(secret) })).status).toBe(409);
      expect((await signIn(user)).status).toBe(201);
    });

    it('with the end of every other sign-in, which verified no code', async () => {
      const user = await signUp();
      const session = (await signIn(user)).json;
      await enrol(user);
      expect((await api().as(session.access_token).get('/auth/profile')).status).toBe(401);
      expect((await api().post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(401);
      expect((await user.client.get('/auth/factors')).status).toBe(200);
    });

    it.each(['28708', '2870822', '28708a', '２８７０８２', ''])('by no malformed code: %s', async (code) => {
      const { client } = await signUp();
      await client.post('/auth/factors/totp');
      expect((await client.post('/auth/factors/totp/confirm', { code })).status).toBe(400);
    });
  });

  describe('has codes', () => {
    it('that sign in once, also two at once', async () => {
      const user = await enrol();
      const code = codeOf(user.secret);
      const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(user, code)));
      expect(sorted(replies)).toEqual([201, 401, 401, 401]);
      expect((await signIn(user, code)).status).toBe(401);
    });

    it('of which the one that confirmed the enrolment does not sign in', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/factors/totp')).json;
      const code = codeOf(secret);
      await user.client.post('/auth/factors/totp/confirm', { code });
      expect((await signIn(user, code)).status).toBe(401);
    });

    it('of an earlier step, which do not sign in after a later one', async () => {
      const user = await enrol();
      const [now, next] = [codeOf(user.secret), codeOf(user.secret, STEP_MS)];
      expect((await signIn(user, next)).status).toBe(201);
      expect((await signIn(user, now)).status).toBe(401);
    });

    it('of its own account, which are rejected like a wrong password', async () => {
      const [ada, bob] = [await enrol(), await enrol()];
      const foreign = await signIn(ada, codeOf(bob.secret));
      const wrong = await signIn({
        ...ada,
        credentials: { ...ada.credentials, password: 'not the password' },
      });
      expect([foreign.status, foreign.text]).toEqual([wrong.status, wrong.text]);
      expect((await signIn(bob, codeOf(bob.secret))).status).toBe(201);
    });

    it('that are guessed no more often than a password', async () => {
      const user = await enrol();
      for (let guess = 0; guess < 10; guess += 1)
        expect((await signIn(user, String(100_000 + guess))).status).toBe(401);
      expect((await signIn(user, codeOf(user.secret))).status).toBe(429);
    });

    it('that are accepted with spaces, and not twice', async () => {
      const user = await enrol();
      const code = codeOf(user.secret);
      expect((await signIn(user, `${code}${code}`)).status).toBe(401);
      expect((await signIn(user, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(201);
    });

    it('that say nothing about an account to somebody without its password', async () => {
      const [enrolled, plain] = [await enrol(), await signUp()];
      const replies = [enrolled, plain].map(({ credentials }) =>
        api().post('/auth/sessions', { ...credentials, password: 'not the password' }),
      );
      expect(new Set((await Promise.all(replies)).map(({ status, text }) => `${status} ${text}`)).size).toBe(
        1,
      );
    });
  });

  describe('has recovery codes', () => {
    it('of which each signs in once, also two at once', async () => {
      const user = await enrol();
      const [code = '', secondCode = ''] = user.recoveryCodes;
      const replies = await Promise.all([1, 2, 3].map(() => signIn(user, code)));
      expect(sorted(replies)).toEqual([201, 401, 401]);
      expect((await signIn(user, code)).status).toBe(401);
      expect((await signIn(user, secondCode.toUpperCase().replaceAll('-', ' '))).status).toBe(201);
      expect(await factorsOf(user)).toMatchObject([{}, {}, { remaining: 8 }]);
      expect((await events(user.id)).filter((kind) => kind === 'factor-used')).toHaveLength(2);
    });

    it('of its own account alone', async () => {
      const [ada, bob] = [await enrol(), await enrol()];
      expect((await signIn(ada, bob.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(bob, bob.recoveryCodes[0])).status).toBe(201);
    });

    it('that are replaced, after which the previous ones do not sign in', async () => {
      const user = await enrol();
      const { status, json } = await user.client.post('/auth/factors/recovery-codes');
      expect([status, json.recoveryCodes.length]).toEqual([201, 10]);
      expect((await signIn(user, user.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(user, json.recoveryCodes[0])).status).toBe(201);
    });

    it('after its enrolment alone', async () => {
      const { client } = await signUp();
      await client.post('/auth/factors/totp');
      expect((await client.post('/auth/factors/recovery-codes')).status).toBe(409);
    });
  });

  describe('ends', () => {
    it('by its owner, with its recovery codes, and can be enrolled again', async () => {
      const user = await enrol();
      expect((await user.client.delete('/auth/factors/totp')).status).toBe(204);
      expect((await user.client.delete('/auth/factors/totp')).status).toBe(404);
      expect((await signIn(user)).status).toBe(201);
      expect(await factorsOf(user)).toMatchObject([{ id: 'password' }]);
      const again = await enrol(user);
      expect((await signIn(again, user.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(again, codeOf(user.secret))).status).toBe(401);
      expect((await signIn(again, codeOf(again.secret))).status).toBe(201);
    });

    it('by an operator, who is recorded; the owner is notified', async () => {
      const user = await enrol();
      const enrolments = api.app().get(FactorEnrolments, { strict: false });
      expect(await enrolments.endFor(user.id, 'totp', { id: 1, client: { ip: '192.0.2.7' } })).toBe(true);
      expect(await enrolments.endFor(user.id, 'totp', { id: 1, client: { ip: '192.0.2.7' } })).toBe(false);
      const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      expect(mail).toMatchObject({ kind: 'factor-changed', recipient: user.credentials.username });
      expect(mail?.text?.text).toContain('by an operator');
      expect(mail?.text?.text).not.toContain('192.0.2.7');
      expect((await events(user.id))[0]).toBe('factor-ended');
      expect((await signIn(user)).status).toBe(201);
    });

    it('not by a password reset of a proven e-mail, which is not a second factor', async () => {
      const user = await enrol();
      const proven = { emailVerifiedAt: new Date() };
      await db().updateTable('account').set(proven).where('id', '=', user.id).execute();
      await api().post('/auth/password-resets', { username: user.credentials.username });
      const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      const token = mail?.text?.link?.split('#token=')[1];
      const another = 'another password that is long';
      await api().post('/auth/password-resets/complete', { token, password: another });
      const changed = { ...user, credentials: { ...user.credentials, password: another } };
      expect((await signIn(changed)).status).toBe(200);
      expect((await signIn(changed, codeOf(user.secret))).status).toBe(201);
    });
  });

  describe('has a token of its first step', () => {
    const begun = async (user: User): Promise<string> => (await begin(user)).json.mfa_token;

    it('that is no access token, and no refresh token', async () => {
      const user = await enrol();
      const token = await begun(user);
      expect((await api().as(token).get('/auth/profile')).status).toBe(401);
      expect((await api().post('/auth/refresh', { refresh_token: token })).status).toBe(401);
    });

    it('that completes one sign-in, also of two at once with different factors', async () => {
      const user = await enrol();
      const token = await begun(user);
      const [first = '', second = ''] = user.recoveryCodes;
      const statuses = await Promise.all([
        complete(token, codeOf(user.secret)),
        complete(token, first, 'recovery-code'),
        complete(token, second, 'recovery-code'),
      ]);
      expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 401, 401]);
      clock.pass(STEP_MS);
      expect(await complete(token, codeOf(user.secret))).toBe(401);
    });

    it('that stays valid after a wrong factor', async () => {
      const user = await enrol();
      const token = await begun(user);
      expect(await complete(token, '000000')).toBe(401);
      expect(await complete(token, codeOf(user.secret))).toBe(201);
    });

    it('that expires after five minutes', async () => {
      const user = await enrol();
      const [token, late] = [await begun(user), await begun(user)];
      clock.pass(4 * 60_000);
      expect(await complete(token, codeOf(user.secret))).toBe(201);
      clock.pass(60_000);
      expect(await complete(late, codeOf(user.secret))).toBe(401);
    });

    it.each(['password', 'another', ''])('that no factor %j completes', async (factor) => {
      const user = await enrol();
      const token = await begun(user);
      expect(await complete(token, user.credentials.password, factor)).toBe(
        factor === 'password' ? 401 : 400,
      );
    });

    it('that another account does not complete', async () => {
      const [ada, bob] = [await enrol(), await enrol()];
      expect(await complete(await begun(ada), codeOf(bob.secret))).toBe(401);
      expect(await complete(await begun(ada), bob.recoveryCodes[0] ?? '', 'recovery-code')).toBe(401);
    });

    it.each<[string, (user: Enrolled) => Promise<unknown>]>([
      [
        'its password changes',
        ({ id, client, credentials }) =>
          client.patch(`/users/${id}`, {
            email: credentials.username,
            password: 'another password that is long',
          }),
      ],
      ['its sessions are ended', ({ client }) => client.delete('/auth/sessions')],
      [
        'it is disabled',
        ({ id }) => api.app().get(Administration, { strict: false }).change(id, { disabled: true }),
      ],
      [
        'it is disabled and enabled',
        async ({ id }) => {
          const administration = api.app().get(Administration, { strict: false });
          await administration.change(id, { disabled: true });
          await administration.change(id, { disabled: false });
        },
      ],
      ['it is deleted', ({ client }) => client.delete('/users/me')],
    ])('that ends when %s', async (_, change) => {
      const user = await enrol();
      const token = await begun(user);
      await change(user);
      expect(await complete(token, codeOf(user.secret))).toBe(401);
    });

    it('that guesses no more codes by repeating the password', async () => {
      const user = await enrol();
      for (let guess = 0; guess < 10; guess += 1)
        expect(await complete(await begun(user), String(100_000 + guess))).toBe(401);
      expect(await complete(await begun(user), codeOf(user.secret))).toBe(429);
    });
  });

  it('is enrolled and used by the client', async () => {
    const { credentials } = await signUp();
    const { username } = credentials;
    const client = createClient({ baseUrl: api().url });
    await client.session.signIn(username, password);
    const { data: begun } = await client.POST('/auth/factors/totp');
    const secret = begun?.secret ?? '';
    const { data: confirmed } = await client.POST('/auth/factors/totp/confirm', {
      body: { code: totpCode(secret) },
    });
    expect(confirmed?.recoveryCodes).toHaveLength(10);
    const again = createClient({ baseUrl: api().url });
    const pending = await again.session.signIn(username, password);
    if (pending === undefined) throw new Error('a second factor must be pending');
    expect([pending.factors, again.session.isOpen]).toEqual([['totp', 'recovery-code'], false]);
    const wrong = again.session.complete(pending, { factor: 'recovery-code', code: 'none' });
    await expect(wrong).rejects.toMatchObject({ status: 401 });
    await again.session.complete(pending, {
      factor: 'recovery-code',
      code: confirmed?.recoveryCodes[0],
    });
    const { data } = await again.GET('/auth/factors');
    expect(data?.factors.map(({ id }) => id)).toEqual(['password', 'totp', 'recovery-code']);
    const ended = await again.DELETE('/auth/factors/{factor}', { params: { path: { factor: 'totp' } } });
    expect(ended.response.status).toBe(204);
    expect(await again.session.signIn(username, password)).toBeUndefined();
  });

  it('tells the export that it exists, and neither export, table nor log its secrets', async () => {
    const user = await enrol();
    const code = codeOf(user.secret);
    const { access_token } = (await signIn(user, code)).json;
    const { json } = await api().as(access_token).get('/users/me/export');
    expect(json.totp).toEqual([{ createdAt: expect.any(String), confirmedAt: expect.any(String) }]);
    expect(api.app().get(AccountExport, { strict: false }).classes.has('totp')).toBe(true);
    await signIn(user, user.recoveryCodes[0]);
    const rows = [
      await db().selectFrom('totp').selectAll().execute(),
      await db().selectFrom('recoveryCode').selectAll().execute(),
      await db().selectFrom('auditEvent').selectAll().execute(),
      await db().selectFrom('mail').selectAll().execute(),
    ];
    const stored = JSON.stringify([rows, json, lines()]);
    expect(lines().length).toBeGreaterThan(0);
    for (const secret of [user.secret, ...user.recoveryCodes]) expect(stored).not.toContain(secret);
    expect(JSON.stringify(lines())).not.toContain(code);
  });
});

function claimsOf(token: string): object {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
