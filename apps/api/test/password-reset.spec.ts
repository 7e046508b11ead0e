import { Administration } from '@app/accounts';
import { Outbox, type OutboxEntry } from '@app/mail';
import { Database, type StatementEnd, storeChannels } from '@app/persistence';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [password, another, third] = [
  'correct horse battery staple',
  'another password entirely',
  'the password of the winner',
];

describe('a password reset', () => {
  const api = bootApi({ env: { SIGN_IN_FAILURES: '2', APP_URL: 'https://example.com/app' } });
  afterEach(() => void vi.useRealTimers());

  const outbox = () => api.app().get(Outbox, { strict: false });
  const db = () => api.app().get(Database, { strict: false });
  const ask = (username: string) => api().post('/auth/password-resets', { username });
  const complete = (token: string, chosen = another) =>
    api().post('/auth/password-resets/complete', { token, password: chosen });
  const login = async (username: string, attempted: string) =>
    (await api().post('/auth/login', { username, password: attempted })).status;

  async function signUp() {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    return { email, id: Number(headers.get('location')?.split('/').at(-1)) };
  }

  async function mailsTo(email: string): Promise<OutboxEntry[]> {
    const mails = await outbox().list({ limit: 100, offset: 0 });
    return mails.filter(({ recipient }) => recipient === email);
  }

  /** Asks for a link, and returns its token. */
  async function newToken(email: string): Promise<string> {
    expect((await ask(email)).status).toBe(202);
    const [newest] = await mailsTo(email);
    return new URL(newest?.text?.link ?? '').hash.slice('#token='.length);
  }

  it('mails a link whose token stands in the fragment', async () => {
    const { email } = await signUp();
    const { status, text } = await ask(email.toUpperCase());
    expect([status, text]).toEqual([202, '']);
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'password-reset', text: { subject: 'Set a new password' } });
    expect(mail?.text?.link).toMatch(/^https:\/\/example\.com\/app\/reset-password#token=[\w-]{43}$/);
    expect(mail?.text?.text).toContain(mail?.text?.link);
  });

  it('sets the password once, and notifies the owner', async () => {
    const { email } = await signUp();
    const token = await newToken(email);
    expect((await complete(token)).status).toBe(204);
    expect([await login(email, password), await login(email, another)]).toEqual([401, 200]);
    const [notice, link] = await mailsTo(email);
    expect(notice).toMatchObject({ kind: 'password-was-reset', dueAt: expect.any(Date) });
    // A server of mails that is configured later does not send the link that was used.
    expect(link).toMatchObject({ kind: 'password-reset', dueAt: null, failure: 'ended' });
    const again = await complete(token, third);
    expect([again.status, again.json]).toEqual([
      400,
      {
        statusCode: 400,
        message: 'this link is not valid, was used or has expired: ask for a new one',
        error: 'Bad Request',
      },
    ]);
    expect(await login(email, another)).toBe(200);
  });

  it('ends every session, access token and API key of the account', async () => {
    const { email } = await signUp();
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    const client = await api().signIn(email, password);
    const key = (await client.post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    expect((await complete(await newToken(email))).status).toBe(204);
    const statuses = [
      await client.get('/auth/profile'),
      await api().as(session.access_token).get('/auth/profile'),
      await api().post('/auth/refresh', { refresh_token: session.refresh_token }),
      await api().with({ 'x-api-key': key }).get('/auth/api-keys/current'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401]);
  });

  it('lifts the lock of the account', async () => {
    const { email } = await signUp();
    for (let failure = 0; failure < 3; failure += 1) await login(email, 'a wrong password');
    expect(await login(email, password)).toBe(429);
    await complete(await newToken(email));
    expect(await login(email, another)).toBe(200);
  });

  it('has one winner of two at once', async () => {
    const { email } = await signUp();
    const token = await newToken(email);
    const choices = [another, third];
    const statuses = await Promise.all(choices.map(async (chosen) => (await complete(token, chosen)).status));
    expect(new Set(statuses)).toEqual(new Set([204, 400]));
    const signIns = await Promise.all(choices.map((chosen) => login(email, chosen)));
    expect(signIns).toEqual(statuses.map((status) => (status === 204 ? 200 : 401)));
  });

  it('ends an earlier link with a later one', async () => {
    const { email } = await signUp();
    const [first, second] = [await newToken(email), await newToken(email)];
    expect([(await complete(first)).status, (await complete(second)).status]).toEqual([400, 204]);
  });

  it('ends the link with a change of e-mail or password, and with a disabled account', async () => {
    const owner = await signUp();
    const client = await api().signIn(owner.email, password);
    let token = await newToken(owner.email);
    const email = newEmail();
    await client.patch(`/users/${owner.id}`, { email });
    expect((await complete(token)).status).toBe(400);
    token = await newToken(email);
    await (await api().signIn(email, password)).patch(`/users/${owner.id}`, { email, password: another });
    expect((await complete(token)).status).toBe(400);
    token = await newToken(email);
    const administration = api.app().get(Administration, { strict: false });
    for (const disabled of [true, false]) await administration.change(owner.id, { disabled });
    expect((await complete(token)).status).toBe(400);
  });

  it('expires after half an hour', async () => {
    const { email } = await signUp();
    const [late, inTime] = [await newToken(email), Date.now()];
    vi.useFakeTimers({ toFake: ['Date'], now: inTime + 30 * 60_000 });
    expect((await complete(late)).status).toBe(400);
    vi.useFakeTimers({ toFake: ['Date'], now: inTime + 29 * 60_000 });
    expect((await complete(late)).status).toBe(204);
  });

  it('answers the same without an account, for a disabled one, and over the limit, and sends nothing', async () => {
    const { email, id } = await signUp();
    const answers = [await ask(newEmail()), await ask('no address'), await ask(email)];
    for (let times = 0; times < 6; times += 1) answers.push(await ask(email));
    expect(await mailsTo(email)).toHaveLength(5);
    const disabled = await signUp();
    await api.app().get(Administration, { strict: false }).change(disabled.id, { disabled: true });
    answers.push(await ask(disabled.email));
    expect(await mailsTo(disabled.email)).toEqual([]);
    const seen = answers.map(({ status, text, headers }) =>
      JSON.stringify([status, text, [...headers.keys()].toSorted()]),
    );
    expect(new Set(seen).size).toBe(1);
    const mails = await db().selectFrom('mail').select('recipient').execute();
    expect(mails.filter(({ recipient }) => recipient.endsWith('sluice.local'))).toEqual([]);
    const events = db().selectFrom('auditEvent').selectAll().where('kind', '=', 'password-reset-requested');
    const details = (await events.where('accountId', '=', id).execute()).map(
      ({ detail }) => JSON.parse(detail).sent,
    );
    expect(details).toEqual([true, true, true, true, true, false, false]);
  });

  it('executes the same statements with an account and without, where one more withdraws the mail', async () => {
    const { email } = await signUp();
    const ofReset = /"(?:account|attempt|audit_event|mail)"/;
    let executed: string[] = [];
    const note = (end: unknown) => void executed.push((end as StatementEnd).sql);
    const statementsOf = async (username: string) => {
      executed = [];
      await ask(username);
      return executed.filter((text) => ofReset.test(text));
    };
    storeChannels.statement.subscribe(note);
    onTestFinished(() => storeChannels.statement.unsubscribe(note));
    const [existing, unknown] = [await statementsOf(email), await statementsOf(newEmail())];
    expect(existing.length).toBeGreaterThan(4);
    expect(unknown.filter((text) => !text.startsWith('delete from "mail"'))).toEqual(existing);
    expect(unknown).toHaveLength(existing.length + 1);
  });

  it('rejects what is no token, and a password that is too short', async () => {
    const { email } = await signUp();
    const token = await newToken(email);
    for (const wrong of ['', 'x', token.slice(1), `${token}A`, 'A'.repeat(43)])
      expect((await complete(wrong)).status).toBe(400);
    expect((await complete(token, 'short')).json.message).toEqual([
      'password must be longer than or equal to 8 characters',
    ]);
    expect((await complete('A'.repeat(101))).status).toBe(400);
    expect((await api().post('/auth/password-resets', { username: 'x'.repeat(321) })).status).toBe(400);
    expect((await complete(token)).status).toBe(204);
  });

  it('takes no token of another kind, and its token is none elsewhere', async () => {
    const { email } = await signUp();
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    const key = (await api().as(session.access_token).post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    const [row] = await db().selectFrom('account').selectAll().where('email', '=', email).execute();
    const token = await newToken(email);
    const [{ passwordResetToken: stored }] = await db()
      .selectFrom('account')
      .select('passwordResetToken')
      .where('email', '=', email)
      .execute();
    for (const body of [
      session.access_token.slice(0, 100),
      session.refresh_token,
      key,
      stored,
      row?.passwordHash,
    ])
      expect((await complete(body)).status).toBe(400);
    const uses = [
      await api().as(token).get('/auth/profile'),
      await api().post('/auth/refresh', { refresh_token: token }),
      await api().with({ 'x-api-key': token }).get('/auth/api-keys/current'),
      await api()
        .with({ 'x-api-key': `sluice_${token}` })
        .get('/auth/api-keys/current'),
    ];
    expect(uses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});

describe('password resets of one address', () => {
  const api = bootApi({ env: { PASSWORD_RESET_ADDRESS_LIMIT: '2/1h' } });

  it('are limited, whoever they are for', async () => {
    const ask = () => api().post('/auth/password-resets', { username: newEmail() });
    expect([(await ask()).status, (await ask()).status]).toEqual([202, 202]);
    const { status, headers } = await ask();
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
  });
});
