import { AccountExport, AuditLog, TotpEnrolments } from '@app/accounts';
import { createClient } from '@app/client';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type Client, gatherLog, newEmail, totpCode } from '@app/service/testing';
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
    const { secret } = (await owner.client.post('/auth/totp')).json;
    const { status, json } = await owner.client.post('/auth/totp/confirm', { code: codeOf(secret) });
    expect(status).toBe(200);
    clock.pass(STEP_MS);
    return { ...owner, secret, recoveryCodes: json.recoveryCodes };
  }

  const signIn = ({ credentials }: User, code?: string, path = '/auth/sessions') =>
    (code === undefined ? api() : api().with({ 'sign-in-code': code })).post(path, credentials);
  const sorted = (replies: readonly { readonly status: number }[]) =>
    replies.map(({ status }) => status).toSorted((one, other) => one - other);
  const events = async (accountId: number) =>
    (await api.app().get(AuditLog, { strict: false }).list({ limit: 50, offset: 0 }, { accountId })).map(
      ({ kind }) => kind,
    );

  describe('is enrolled', () => {
    it('by a secret that is shown once, as text, URI and QR code', async () => {
      const { client, credentials } = await signUp();
      const { status, headers, json } = await client.post('/auth/totp');
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      const uri = new URL(json.uri);
      expect(uri.protocol + uri.host).toBe('otpauth:totp');
      expect(decodeURIComponent(uri.pathname)).toBe(`/localhost:${credentials.username}`);
      expect(uri.searchParams.get('secret')).toBe(json.secret);
      expect(json.qr).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>$/);
      expect(Object.keys((await client.get('/auth/totp')).json)).toEqual(['confirmedAt', 'recoveryCodes']);
    });

    it('by a code, from which on both kinds of sign-in require one', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/totp')).json;
      expect((await signIn(user)).status).toBe(201);
      const { json } = await user.client.post('/auth/totp/confirm', { code: codeOf(secret) });
      expect(new Set(json.recoveryCodes).size).toBe(10);
      for (const path of ['/auth/sessions', '/auth/login']) {
        clock.pass(STEP_MS);
        const without = await signIn(user, undefined, path);
        expect([without.status, without.json.message]).toEqual([
          403,
          'a code of the authenticator application, or a recovery code, is needed',
        ]);
        const signedIn = await signIn(user, codeOf(secret), path);
        const profile = await api().as(signedIn.json.access_token).get('/auth/profile');
        expect(profile.json.userId).toBe(user.id);
      }
      clock.pass(STEP_MS);
      const { access_token } = (await signIn(user, codeOf(secret))).json;
      expect((await api().as(access_token).get('/auth/totp')).json).toEqual({
        confirmedAt: expect.stringMatching(/Z$/),
        recoveryCodes: 10,
      });
      expect(await events(user.id)).toContain('totp-enrolled');
    });

    it('twice at once with one secret that works', async () => {
      const user = await signUp();
      const begun = await Promise.all([user.client.post('/auth/totp'), user.client.post('/auth/totp')]);
      const statuses = [];
      for (const { json } of begun) {
        const confirmed = await user.client.post('/auth/totp/confirm', { code: codeOf(json.secret) });
        statuses.push(confirmed.status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect((await user.client.post('/auth/totp')).status).toBe(409);
    });

    it('by one of two confirmations at once', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/totp')).json;
      const body = { code: codeOf(secret) };
      const replies = await Promise.all([1, 2].map(() => user.client.post('/auth/totp/confirm', body)));
      expect(sorted(replies)).toEqual([200, 409]);
      expect((await user.client.get('/auth/totp')).json.recoveryCodes).toBe(10);
    });

    it('by no code of another secret, nor by more than ten in a quarter of an hour', async () => {
      const [user, other] = [await signUp(), await signUp()];
      const { secret } = (await user.client.post('/auth/totp')).json;
      const foreign = (await other.client.post('/auth/totp')).json.secret;
      const send = async (code: string) => (await user.client.post('/auth/totp/confirm', { code })).status;
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
      for (const path of ['/auth/totp', '/auth/totp/confirm', '/auth/totp/recovery-codes'])
        expect((await thief.post(path, { code: '000000' })).json.message).toBe('a recent sign-in is needed');
      expect((await thief.delete('/auth/totp')).status).toBe(403);
    });

    it('not by a sign-in that was revoked meanwhile', async () => {
      const user = await signUp();
      await user.client.post('/auth/logout');
      expect((await user.client.post('/auth/totp')).status).toBe(401);
    });

    it('not if it was abandoned: an hour later no code confirms it', async () => {
      const user = await signUp();
      const { secret } = (await user.client.post('/auth/totp')).json;
      clock.pass(61 * 60_000);
      const later = await api().signIn(user.credentials.username, password);
      expect((await later.post('/auth/totp/confirm', { code: codeOf(secret) })).status).toBe(409);
      expect((await signIn(user)).status).toBe(201);
    });

    it('with the end of every other sign-in, which verified no code', async () => {
      const user = await signUp();
      const session = (await signIn(user)).json;
      await enrol(user);
      expect((await api().as(session.access_token).get('/auth/profile')).status).toBe(401);
      expect((await api().post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(401);
      expect((await user.client.get('/auth/totp')).status).toBe(200);
    });

    it.each(['28708', '2870822', '28708a', '２８７０８２', ''])('by no malformed code: %s', async (code) => {
      const { client } = await signUp();
      await client.post('/auth/totp');
      expect((await client.post('/auth/totp/confirm', { code })).status).toBe(400);
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
      const { secret } = (await user.client.post('/auth/totp')).json;
      const code = codeOf(secret);
      await user.client.post('/auth/totp/confirm', { code });
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

    it('that are accepted with spaces, and not twice in the header', async () => {
      const user = await enrol();
      const code = codeOf(user.secret);
      expect((await signIn(user, `${code}, ${code}`)).status).toBe(401);
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
      const [code = '', other = ''] = user.recoveryCodes;
      const replies = await Promise.all([1, 2, 3].map(() => signIn(user, code)));
      expect(sorted(replies)).toEqual([201, 401, 401]);
      expect((await signIn(user, code)).status).toBe(401);
      expect((await signIn(user, other.toUpperCase().replaceAll('-', ' '))).status).toBe(201);
      expect((await user.client.get('/auth/totp')).json.recoveryCodes).toBe(8);
      expect((await events(user.id)).filter((kind) => kind === 'recovery-code-used')).toHaveLength(2);
    });

    it('of its own account alone', async () => {
      const [ada, bob] = [await enrol(), await enrol()];
      expect((await signIn(ada, bob.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(bob, bob.recoveryCodes[0])).status).toBe(201);
    });

    it('that are replaced, after which the previous ones do not sign in', async () => {
      const user = await enrol();
      const { status, json } = await user.client.post('/auth/totp/recovery-codes');
      expect([status, json.recoveryCodes.length]).toEqual([201, 10]);
      expect((await signIn(user, user.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(user, json.recoveryCodes[0])).status).toBe(201);
    });

    it('after its enrolment alone', async () => {
      const { client } = await signUp();
      await client.post('/auth/totp');
      expect((await client.post('/auth/totp/recovery-codes')).status).toBe(409);
    });
  });

  describe('ends', () => {
    it('by its owner, with its recovery codes, and can be enrolled again', async () => {
      const user = await enrol();
      expect((await user.client.delete('/auth/totp')).status).toBe(204);
      expect((await user.client.delete('/auth/totp')).status).toBe(409);
      expect((await signIn(user)).status).toBe(201);
      expect((await user.client.get('/auth/totp')).json).toEqual({ confirmedAt: null, recoveryCodes: 0 });
      const again = await enrol(user);
      expect((await signIn(again, user.recoveryCodes[0])).status).toBe(401);
      expect((await signIn(again, codeOf(user.secret))).status).toBe(401);
      expect((await signIn(again, codeOf(again.secret))).status).toBe(201);
    });

    it('by an operator, who is recorded; the owner is notified', async () => {
      const user = await enrol();
      const enrolments = api.app().get(TotpEnrolments, { strict: false });
      expect(await enrolments.endOf(user.id, { actorId: 1, ip: '192.0.2.7' })).toBe(true);
      expect(await enrolments.endOf(user.id, { actorId: 1, ip: '192.0.2.7' })).toBe(false);
      const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      expect(mail).toMatchObject({ kind: 'second-factor-changed', recipient: user.credentials.username });
      expect(mail?.text?.text).toContain('by an operator');
      expect(mail?.text?.text).not.toContain('192.0.2.7');
      expect((await events(user.id))[0]).toBe('totp-ended');
      expect((await signIn(user)).status).toBe(201);
    });

    it('not by a password reset, which is not a second factor', async () => {
      const user = await enrol();
      await api().post('/auth/password-resets', { username: user.credentials.username });
      const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      const token = mail?.text?.link?.split('#token=')[1];
      const another = 'another password that is long';
      await api().post('/auth/password-resets/complete', { token, password: another });
      const changed = { ...user, credentials: { ...user.credentials, password: another } };
      expect((await signIn(changed)).status).toBe(403);
      expect((await signIn(changed, codeOf(user.secret))).status).toBe(201);
    });
  });

  it('is enrolled and used by the client', async () => {
    const { credentials } = await signUp();
    const { username } = credentials;
    const client = createClient({ baseUrl: api().url });
    await client.session.signIn(username, password);
    const { data: begun } = await client.POST('/auth/totp');
    const secret = begun?.secret ?? '';
    const { data: confirmed } = await client.POST('/auth/totp/confirm', { body: { code: totpCode(secret) } });
    expect(confirmed?.recoveryCodes).toHaveLength(10);
    expect((await client.GET('/auth/totp')).data?.recoveryCodes).toBe(10);
    const again = createClient({ baseUrl: api().url });
    await expect(again.session.signIn(username, password)).rejects.toMatchObject({
      status: 403,
      problem: { code: 'totp-required' },
    });
    await again.session.signIn(username, password, confirmed?.recoveryCodes[0]);
    expect((await again.DELETE('/auth/totp')).response.status).toBe(204);
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
