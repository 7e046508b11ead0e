import { Administration, AuditLog } from '@app/accounts';
import { createClient } from '@app/client';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { BeforeStatements } from '@app/persistence/testing';
import { enrolTotp, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';

describe('a sign-in by a code in a mail', () => {
  const statements = new BeforeStatements();
  const api = bootApi({ env: { EMAIL_CODES: '5/1h', SIGN_UP_ADDRESS_LIMIT: 'off' } });
  const clock = useFakeClock(api);
  beforeEach(() => clock.pass(0));
  const db = () => api.app().get(Database, { strict: false });
  const newest = async () =>
    (await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 }))[0];

  async function signUp() {
    const username = newEmail();
    const { headers } = await api().post('/users', { email: username, password });
    return { username, id: Number(headers.get('location')?.split('/').at(-1)) };
  }

  async function request(username: string): Promise<{ nonce: string; code: string; link: string }> {
    const { status, json } = await api().post('/auth/email-codes', { username });
    expect([status, Object.keys(json)]).toEqual([202, ['nonce']]);
    const { text } = (await newest()) ?? {};
    const code = / the code ([0-9]{6}),/.exec(text?.text ?? '')?.[1] ?? '';
    return { nonce: json.nonce, code, link: text?.link ?? '' };
  }

  const complete = (nonce: string, code: string) => api().post('/auth/email-codes/complete', { nonce, code });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('opens a session, once, whose tokens say how', async () => {
    const { username, id } = await signUp();
    const { nonce, code, link } = await request(username);
    expect(link).toBe(`http://localhost:3000/sign-in#token=${code}`);
    const { status, json } = await complete(nonce, code);
    expect(status).toBe(201);
    expect(claimsOf(json.access_token)).toMatchObject({ sub: id, amr: ['otp'], acr: 'aal1' });
    expect((await complete(nonce, code)).status).toBe(401);
    const events = api.app().get(AuditLog, { strict: false });
    const kinds = (await events.list({ limit: 9, offset: 0 }, { accountId: id })).map(({ kind }) => kind);
    expect(kinds.toReversed()).toEqual([
      'account-created',
      'factor-requested',
      'email-verified',
      'sign-in',
      'session-created',
    ]);
  });

  it('opens one session, also of two at once', async () => {
    const { nonce, code } = await request((await signUp()).username);
    const replies = await Promise.all([1, 2, 3, 4].map(() => complete(nonce, code)));
    expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      201, 401, 401, 401,
    ]);
  });

  it('needs the client that asked: neither the code of another request, nor none of its own', async () => {
    const [ada, bob] = [await signUp(), await signUp()];
    const [first, second] = [await request(ada.username), await request(bob.username)];
    expect((await complete('a nonce', first.code)).status).toBe(401);
    expect((await complete(second.nonce, first.code)).status).toBe(401);
    expect((await complete(first.nonce, first.code)).status).toBe(201);
  });

  it('is tried five times, also at once', async () => {
    const { username } = await signUp();
    const [fifth, sixth] = [await request(username), await request(username)];
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect((await complete(fifth.nonce, wrong(fifth.code))).status).toBe(401);
    expect((await complete(fifth.nonce, fifth.code)).status).toBe(201);
    await Promise.all([1, 2, 3, 4, 5].map(() => complete(sixth.nonce, wrong(sixth.code))));
    expect((await complete(sixth.nonce, sixth.code)).status).toBe(401);
  });

  it('has ten minutes', async () => {
    const { username } = await signUp();
    const [early, late] = [await request(username), await request(username)];
    clock.pass(9 * 60_000);
    expect((await complete(early.nonce, early.code)).status).toBe(201);
    clock.pass(60_000);
    expect((await complete(late.nonce, late.code)).status).toBe(401);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['has another e-mail', (id) => change(id, { email: newEmail() })],
    ['has another password', (id) => change(id, { password: 'another password that is long' })],
    [
      'is disabled and enabled',
      async (id) => {
        const administration = api.app().get(Administration, { strict: false });
        await administration.change(id, { disabled: true });
        await administration.change(id, { disabled: false });
      },
    ],
    ['is removed', (id) => api.app().get(Administration, { strict: false }).remove(id)],
  ])('ends when the account %s', async (_, act) => {
    const { username, id } = await signUp();
    const { nonce, code } = await request(username);
    await act(id);
    expect((await complete(nonce, code)).status).toBe(401);
  });

  async function change(id: number, changed: { email?: string; password?: string }): Promise<void> {
    const { email } = await db()
      .selectFrom('account')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const client = await api().signIn(email, password);
    expect((await client.patch(`/users/${id}`, { email, ...changed })).status).toBe(200);
  }

  it('requires the second factor of the account', async () => {
    const { username, id } = await signUp();
    await db().updateTable('account').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute();
    const { recoveryCodes } = await enrolTotp(await api().signIn(username, password));
    const { nonce, code } = await request(username);
    const { status, json } = await complete(nonce, code);
    expect([status, json.factors]).toEqual([200, ['totp', 'recovery-code']]);
    const completed = await api().post('/auth/sessions/complete', {
      mfa_token: json.mfa_token,
      factor: 'recovery-code',
      code: recoveryCodes[0],
    });
    expect(claimsOf(completed.json.access_token)).toMatchObject({ amr: ['otp', 'mfa'], acr: 'aal2' });
  });

  it('tells nobody whether there is an account: the response, its statements and those of a try are the same', async () => {
    const seen: string[] = [];
    const disabled = await signUp();
    await api.app().get(Administration, { strict: false }).change(disabled.id, { disabled: true });
    for (const username of [(await signUp()).username, newEmail(), 'not an e-mail', disabled.username]) {
      let executed = 0;
      const { status, json } = await statements.during(
        () => api().post('/auth/email-codes', { username }),
        async () => void (executed += 1),
      );
      const requested = executed;
      const reply = await statements.during(
        () => complete(json.nonce, '0000000'),
        async () => void (executed += 1),
      );
      seen.push(`${status} ${json.nonce.length} ${requested} ${reply.status} ${reply.text} ${executed}`);
    }
    expect(new Set(seen).size).toBe(1);
  });

  it('sends five mails an hour to an e-mail; further requests have the same response, and no code', async () => {
    const { username } = await signUp();
    for (let sent = 0; sent < 5; sent += 1) await request(username);
    const last = (await newest())?.id;
    const { status } = await api().post('/auth/email-codes', { username });
    expect([status, (await newest())?.id]).toEqual([202, last]);
  });

  it('is used by the client', async () => {
    const { username } = await signUp();
    const { session, GET } = createClient({ baseUrl: api().url });
    const nonce = await session.requestCode(username);
    const code = (await newest())?.text?.link?.split('#token=')[1] ?? '';
    await expect(session.signInByCode(nonce, wrong(code))).rejects.toMatchObject({ status: 401 });
    expect(await session.signInByCode(nonce, code)).toBeUndefined();
    expect((await GET('/auth/profile')).data?.username).toBe(username);
  });

  it('stores neither nonce nor code', async () => {
    const { nonce, code } = await request((await signUp()).username);
    const rows = JSON.stringify(await db().selectFrom('challenge').selectAll().execute());
    expect(rows).not.toContain(nonce);
    expect(rows).not.toContain(`"${code}"`);
  });
});

describe('a sign-in by a code, where e-mails are verified', () => {
  const api = bootApi({ env: { EMAIL_CODES: '5/1h', EMAIL_VERIFICATION: 'on' } });

  it('is not offered to an unverified e-mail, whose owner may not know of the account', async () => {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    expect((await api().post('/auth/email-codes', { username })).status).toBe(202);
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 9, offset: 0 });
    expect(mails.map(({ kind }) => kind)).toEqual(['email-verification']);
  });

  it('is a way to sign in from the verification on, and none before', async () => {
    const username = newEmail();
    const { headers } = await api().post('/users', { email: username, password });
    const client = await api().signIn(username, password);
    const kinds = async () =>
      (await client.get('/auth/factors')).json.factors.map(({ factor }: { factor: string }) => factor);
    expect(await kinds()).toEqual(['password']);
    const id = Number(headers.get('location')?.split('/').at(-1));
    await api
      .app()
      .get(Database, { strict: false })
      .updateTable('account')
      .set({ emailVerifiedAt: new Date() })
      .where('id', '=', id)
      .execute();
    expect(await kinds()).toEqual(['password', 'email-code']);
  });
});

describe('a sign-in by a code, by default', () => {
  const api = bootApi();

  it('is off', async () => {
    const requested = await api().post('/auth/email-codes', { username: newEmail() });
    const completed = await api().post('/auth/email-codes/complete', { nonce: 'a nonce', code: '000000' });
    expect([requested.status, completed.status]).toEqual([404, 404]);
  });
});

function claimsOf(token: string): object {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
