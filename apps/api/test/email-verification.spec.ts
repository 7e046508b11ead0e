import { Administration, AdministratorReset, Enrolments, AccountsStore } from '@app/accounts';
import { Verified } from '@app/auth';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { Returns } from '@app/contract';
import { type Client, newEmail } from '@app/service/testing';
import { Controller, Get } from '@nestjs/common';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

const [password, another] = ['correct horse battery staple', 'another password entirely'];

@Controller('verified')
class VerifiedController {
  @Get()
  @Verified()
  @Returns('nothing')
  read(): void {}
}

function stories(env: Readonly<Record<string, string>>) {
  const api = bootApi({ env, controllers: [VerifiedController] });

  async function signUp(email = newEmail()) {
    const created = await api().post('/users', { email, password });
    const path = created.headers.get('location') ?? '';
    return { email, path, id: Number(path.split('/').at(-1)), client: await api().signIn(email, password) };
  }
  const mailsTo = async (email: string) => {
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 100, offset: 0 });
    return mails.filter(({ recipient }) => recipient === email);
  };
  const tokenIn = (link: string | undefined) => new URL(link ?? '').hash.slice('#token='.length);
  /** The token of the newest mail to an e-mail. */
  const newestToken = async (email: string) => tokenIn((await mailsTo(email))[0]?.text?.link);
  const confirm = (token: string, as: Client) => as.post('/auth/email-verifications/complete', { token });
  const undo = (token: string, chosen = another) =>
    api().post('/auth/email-changes/undo', { token, password: chosen });
  const login = async (username: string, chosenPassword = password) =>
    (await api().post('/auth/login', { username, password: chosenPassword })).status;
  const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);

  /** A user whose e-mail is verified, as it was changed to another one. */
  async function changed() {
    const person = await signUp();
    await confirm(await newestToken(person.email), person.client);
    const newOne = newEmail();
    await person.client.patch(person.path, { email: newOne });
    expect((await confirm(await newestToken(newOne), person.client)).status).toBe(204);
    return { ...person, newEmail: newOne, undoToken: await newestToken(person.email) };
  }

  return { api, signUp, mailsTo, newestToken, confirm, undo, login, kindsTo, changed };
}

describe('a verified e-mail (D29)', () => {
  const env = { EMAIL_VERIFICATION: 'on', APP_URL: 'https://example.com' };
  const { api, signUp, mailsTo, newestToken, confirm, undo, login, kindsTo, changed } = stories(env);
  afterEach(() => void vi.useRealTimers());

  const eventsOf = async (id: number) => {
    const db = api.app().get(Database, { strict: false });
    const events = db.selectFrom('auditEvent').select('kind').where('accountId', '=', id).orderBy('id');
    return (await events.execute()).map(({ kind }) => kind).filter((kind) => kind.startsWith('email'));
  };

  it('is confirmed by the link that a sign-up is sent, and opens the routes that need it', async () => {
    const { email, id, client } = await signUp();
    const [mail, ...others] = await mailsTo(email);
    expect([mail?.kind, others]).toEqual(['email-verification', []]);
    expect(mail?.text?.link).toMatch(/^https:\/\/example\.com\/verify-email#token=[\w-]{43}$/);
    const refused = await client.get('/verified');
    expect([refused.status, refused.json]).toEqual([
      403,
      { statusCode: 403, message: 'a verified e-mail is needed', error: 'Forbidden' },
    ]);
    expect((await client.post('/auth/api-keys', { name: 'robot' })).status).toBe(403);
    expect((await client.get('/users/me')).status).toBe(200);
    const token = await newestToken(email);
    expect((await confirm(token, client)).status).toBe(204);
    expect((await client.get('/verified')).status).toBe(200);
    const key = (await client.post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    expect((await api().with({ 'x-api-key': key }).get('/items')).status).toBe(200);
    expect((await confirm(token, client)).json.message).toBe(
      'this link is not valid, was used or has expired',
    );
    expect(await eventsOf(id)).toEqual(['email-verified']);
  });

  it('is requested again, which invalidates the earlier link, until it is verified', async () => {
    const { email, client } = await signUp();
    const first = await newestToken(email);
    const again = await client.post('/auth/email-verifications');
    expect([again.status, again.text]).toEqual([202, '']);
    expect((await confirm(first, client)).status).toBe(400);
    expect((await confirm(await newestToken(email), client)).status).toBe(204);
    const done = await client.post('/auth/email-verifications');
    expect([done.status, done.json.message]).toEqual([409, 'there is no e-mail to verify']);
  });

  it('is requested at most so often in an hour, by one account and to one e-mail', async () => {
    const { client, path } = await signUp();
    const target = newEmail();
    for (const address of [...Array.from({ length: 4 }, newEmail), target])
      expect((await client.patch(path, { email: address })).status).toBe(200);
    const refused = await client.patch(path, { email: newEmail() });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.closeTo(3590, -2),
    ]);
    expect((await client.post('/auth/email-verifications')).status).toBe(429);
    for (const status of [200, 200, 200, 200, 429]) {
      const stranger = await signUp();
      expect((await stranger.client.patch(stranger.path, { email: target })).status).toBe(status);
    }
  });

  it('is sent so many links in an hour, whether or not accounts of it are deleted and made again', async () => {
    const email = newEmail();
    const add = vi.spyOn(api.app().get(Outbox, { strict: false }), 'add');
    for (let times = 0; times < 5; times += 1) {
      const { client } = await signUp(email);
      await client.post('/auth/email-verifications');
      expect((await client.delete('/users/me')).status).toBe(204);
    }
    const { client } = await signUp(email);
    expect((await client.post('/auth/email-verifications')).status).toBe(429);
    expect(add.mock.calls.filter(([{ recipient }]) => recipient === email)).toHaveLength(5);
    add.mockRestore();
  });

  it('is sent its own links after changes of others to it were refused', async () => {
    const { email, client } = await signUp();
    for (let times = 0; times < 5; times += 1) {
      const stranger = await signUp();
      expect((await stranger.client.patch(stranger.path, { email })).status).toBe(409);
    }
    expect((await client.post('/auth/email-verifications')).status).toBe(202);
    expect(await kindsTo(email)).toEqual(['email-verification', 'email-verification']);
  });

  it('stays until the new one is confirmed, and is notified', async () => {
    const { email, path, id, client } = await signUp();
    await confirm(await newestToken(email), client);
    const chosen = newEmail();
    const answer = await client.patch(path, { email: chosen });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ email: chosen })]);
    expect((await client.get('/users/me')).json.email).toBe(email);
    expect([await login(email), await login(chosen)]).toEqual([200, 401]);
    expect(await kindsTo(email)).toEqual(['email-verification']);
    expect((await confirm(await newestToken(chosen), client)).status).toBe(204);
    expect((await client.get('/users/me')).json.email).toBe(chosen);
    expect([await login(email), await login(chosen)]).toEqual([401, 200]);
    expect((await client.get('/verified')).status).toBe(200);
    const [notice] = await mailsTo(email);
    expect(notice?.kind).toBe('email-changed');
    expect(notice?.text?.link).toMatch(/^https:\/\/example\.com\/undo-email-change#token=[\w-]{43}$/);
    expect(notice?.text?.text).toContain(chosen);
    expect(await eventsOf(id)).toEqual(['email-verified', 'email-change-requested', 'email-changed']);
  });

  it.each([
    ['case', (email: string) => email.toUpperCase()],
    ['a letter that folds to the same', (email: string) => email.replace('s', '\u017f')],
  ])('is requested again for another spelling by %s, which may be another mailbox', async (_, spelled) => {
    const { email, path, client } = await signUp();
    await confirm(await newestToken(email), client);
    const spelling = spelled(email);
    expect((await client.patch(path, { email: spelling })).status).toBe(200);
    expect((await client.get('/users/me')).json.email).toBe(email);
    expect((await api().post('/users', { email: spelling, password })).status).toBe(409);
    expect((await confirm(await newestToken(spelling), client)).status).toBe(204);
    expect((await client.get('/users/me')).json.email).toBe(spelling);
    expect([await login(email), await login(spelling)]).toEqual([200, 200]);
    const notices = [await mailsTo(email), await mailsTo(spelling)].map(([mail]) => mail);
    expect(notices.map((mail) => mail?.kind)).toEqual(['email-changed', 'email-changed']);
    const [ofOld, ofNew] = [await newestToken(email), await newestToken(spelling)];
    expect(ofOld).not.toBe(ofNew);
    expect((await undo(ofNew)).status).toBe(204);
    expect((await (await api().signIn(email, another)).get('/users/me')).json.email).toBe(email);
  });

  it('is not taken over by a change that was requested before a new password, or that the owner undid', async () => {
    const { email, path, client } = await signUp();
    const [first, second] = [newEmail(), newEmail()];
    await client.patch(path, { email: first });
    await client.patch(path, { email, password: another });
    expect((await confirm(await newestToken(first), client)).status).toBe(400);
    const again = await api().signIn(email, another);
    await again.patch(path, { email: second });
    await again.patch(path, { email });
    expect((await confirm(await newestToken(second), again)).status).toBe(400);
  });

  it('is one address of one account', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const taken = 'email is already taken';
    expect((await first.client.patch(first.path, { email: second.email })).json.message).toBe(taken);
    const wanted = newEmail();
    await first.client.patch(first.path, { email: wanted });
    await second.client.patch(second.path, { email: wanted });
    const tokens = (await mailsTo(wanted)).map(({ text }) => new URL(text?.link ?? '').hash.slice(7));
    const replies = [];
    for (const [at, token] of tokens.entries()) {
      const { client } = [second, first][at] ?? second;
      replies.push(await confirm(token, client.with({ accept: 'application/problem+json' })));
    }
    expect(replies.map(({ status }) => status)).toEqual([204, 409]);
    const errors = [{ in: 'body', pointer: '/token', code: 'email-conflict', params: {}, detail: taken }];
    expect(replies[1]?.json).toMatchObject({ code: 'email-conflict', errors });
  });

  it('has one winner of two at once', async () => {
    const { email, id, client } = await signUp();
    const token = await newestToken(email);
    const statuses = await Promise.all([confirm(token, client), confirm(token, client)]);
    expect(statuses.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([204, 400]);
    expect(await eventsOf(id)).toEqual(['email-verified']);
  });

  it('is confirmed within a day', async () => {
    const { email } = await signUp();
    const [token, now, day] = [await newestToken(email), Date.now(), 86_400_000];
    const statusAt = async (time: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: time });
      return (await confirm(token, await api().signIn(email, password))).status;
    };
    expect([await statusAt(now + day), await statusAt(now + day - 60_000)]).toEqual([400, 204]);
  });

  it('is not confirmed for a disabled account', async () => {
    const { email, id, client } = await signUp();
    const token = await newestToken(email);
    await api.app().get(Administration, { strict: false }).change(id, { disabled: true });
    expect((await confirm(token, client)).status).toBe(403);
  });

  it('is not confirmed for a stranger who signed up with it, by its owner who opens the link', async () => {
    const stranger = await signUp();
    const token = await newestToken(stranger.email);
    const owner = await signUp();
    expect((await confirm(token, api())).status).toBe(401);
    expect((await confirm(token, owner.client)).status).toBe(400);
    expect((await stranger.client.post('/auth/api-keys', { name: 'robot' })).status).toBe(403);
    expect((await stranger.client.get('/verified')).status).toBe(403);
  });

  it('is proven by a password reset as well', async () => {
    const { email } = await signUp();
    await api().post('/auth/password-resets', { username: email });
    const token = await newestToken(email);
    await api().post('/auth/password-resets/complete', { token, password: another });
    expect((await (await api().signIn(email, another)).get('/verified')).status).toBe(200);
  });

  it('is that of the administrator of the settings', async () => {
    expect((await (await api.administrator()).get('/verified')).status).toBe(200);
  });

  describe('that was changed', () => {
    it('is given back by the link to the old one, with a new password, and all access ends', async () => {
      const person = await changed();
      const key = (await person.client.post('/auth/api-keys', { name: 'robot' })).json.apiKey;
      expect((await undo(person.undoToken)).status).toBe(204);
      expect([await login(person.newEmail), await login(person.email)]).toEqual([401, 401]);
      expect(await login(person.email, another)).toBe(200);
      expect((await person.client.get('/users/me')).status).toBe(401);
      expect((await api().with({ 'x-api-key': key }).get('/items')).status).toBe(401);
      expect((await (await api().signIn(person.email, another)).get('/verified')).status).toBe(200);
      expect(await kindsTo(person.email)).toEqual([
        'password-was-reset',
        'email-changed',
        'email-verification',
      ]);
      expect(await eventsOf(person.id)).toContain('email-change-undone');
      expect((await undo(person.undoToken, 'a third password')).status).toBe(400);
    });

    it('is given back to the first owner after two changes, whose links end', async () => {
      const person = await changed();
      const third = newEmail();
      const thief = await api().signIn(person.newEmail, password);
      await thief.patch(person.path, { email: third });
      await confirm(await newestToken(third), thief);
      const later = await newestToken(person.newEmail);
      expect((await undo(person.undoToken)).status).toBe(204);
      expect((await undo(later)).status).toBe(400);
      expect(await login(person.email, another)).toBe(200);
    });

    it('can be restored after a new password, for seven days, and no other account gets the e-mail until then', async () => {
      const person = await changed();
      const thief = await api().signIn(person.newEmail, password);
      await thief.patch(person.path, { email: person.newEmail, password: 'the password of a thief' });
      expect((await api().post('/users', { email: person.email, password })).status).toBe(409);
      const stranger = await signUp();
      expect((await stranger.client.patch(stranger.path, { email: person.email })).status).toBe(409);
      const week = 7 * 86_400_000;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + week });
      expect((await undo(person.undoToken)).status).toBe(400);
      vi.setSystemTime(Date.now() - 60_000);
      expect((await undo(person.undoToken)).status).toBe(204);
    });

    it('is not taken back by who had it before, once an operator gave it to its owner', async () => {
      const person = await changed();
      const third = newEmail();
      await person.client.patch(person.path, { email: third });
      await confirm(await newestToken(third), person.client);
      const links = [await newestToken(third), await newestToken(person.newEmail), person.undoToken];
      const operator = await api.administrator();
      const change = { email: person.email, password: another };
      expect((await operator.patch(person.path, change)).status).toBe(200);
      expect([await login(person.email, another), await login(third, another)]).toEqual([200, 401]);
      for (const token of links) expect((await undo(token, 'the password of a thief')).status).toBe(400);
      const [toThief] = await mailsTo(third);
      expect([toThief?.kind, toThief?.text?.link]).toEqual(['email-changed', undefined]);
      const owner = await api().signIn(person.email, another);
      const own = { password: 'a phrase of the owner' };
      expect((await owner.post('/auth/password-changes', own)).status).toBe(204);
      expect((await owner.get('/verified')).status).toBe(403);
      // A new password ends links that were sent before.
      expect((await owner.post('/auth/email-verifications', {})).status).toBe(202);
      expect((await confirm(await newestToken(person.email), owner)).status).toBe(204);
    });

    it('is not taken back by a link once the administrator was reset', async () => {
      const person = await changed();
      const db = api.app().get(Database, { strict: false });
      await new AdministratorReset(db, new Enrolments(program.factors)).reset(person.newEmail, another);
      expect((await undo(person.undoToken)).status).toBe(400);
    });

    it('is notified of a new password within a week, as the new one is', async () => {
      const person = await changed();
      await person.client.patch(person.path, { email: person.newEmail, password: another });
      const newest = async (email: string) => (await kindsTo(email))[0];
      expect([await newest(person.email), await newest(person.newEmail)]).toEqual([
        'password-changed',
        'password-changed',
      ]);
      await api().post('/auth/password-resets', { username: person.newEmail });
      const token = await newestToken(person.newEmail);
      await api().post('/auth/password-resets/complete', { token, password });
      expect([await newest(person.email), await newest(person.newEmail)]).toEqual([
        'password-was-reset',
        'password-was-reset',
      ]);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
      const later = await api().signIn(person.newEmail, password);
      await later.patch(person.path, { email: person.newEmail, password: another });
      expect(await newest(person.email)).toBe('password-was-reset');
      expect(await newest(person.newEmail)).toBe('password-changed');
    });

    it('is not given back to an e-mail that was never verified', async () => {
      const { email, path, client } = await signUp();
      const chosen = newEmail();
      await client.patch(path, { email: chosen });
      await confirm(await newestToken(chosen), client);
      const [notice] = await mailsTo(email);
      expect([notice?.kind, notice?.text?.link]).toEqual(['email-changed', undefined]);
    });
  });
});

describe('an account that is deleted', () => {
  const { api, signUp, kindsTo } = stories({ EMAIL_VERIFICATION: 'on' });

  it('takes its own mails along that are not sent yet, and no other ones to the same e-mail', async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    await api().post('/auth/password-resets', { username: owner.email });
    const wanted = newEmail();
    await owner.client.patch(owner.path, { email: wanted });
    await stranger.client.patch(stranger.path, { email: wanted });
    expect(await kindsTo(wanted)).toHaveLength(2);
    expect((await stranger.client.delete('/users/me')).status).toBe(204);
    expect([await kindsTo(wanted), await kindsTo(stranger.email)]).toEqual([['email-verification'], []]);
    expect(await kindsTo(owner.email)).toEqual(['password-reset', 'email-verification']);
  });
});

describe('without the verification of e-mails', () => {
  const { api, signUp, confirm, kindsTo, changed: _, ...rest } = stories({});

  it('no link is sent, every e-mail counts as verified, and a change takes effect at once, of which both are notified', async () => {
    const { email, path, client } = await signUp();
    expect((await client.get('/verified')).status).toBe(200);
    expect((await client.post('/auth/email-verifications')).status).toBe(409);
    const chosen = newEmail();
    expect((await client.patch(path, { email: chosen })).status).toBe(200);
    expect((await client.get('/users/me')).json.email).toBe(chosen);
    expect(await rest.login(chosen)).toBe(200);
    const mails = [...(await rest.mailsTo(email)), ...(await rest.mailsTo(chosen))];
    expect(mails.map(({ kind, text }) => [kind, text?.link])).toEqual([
      ['email-changed', expect.stringContaining('/undo-email-change#token=')],
      ['email-changed', undefined],
    ]);
    await client.patch(path, { email: chosen, password: another });
    expect([(await kindsTo(email))[0], (await kindsTo(chosen))[0]]).toEqual([
      'password-changed',
      'password-changed',
    ]);
    expect((await confirm('A'.repeat(43), client)).status).toBe(400);
    expect((await rest.undo('A'.repeat(43))).status).toBe(400);
  });

  it('a changed e-mail is given back by the link to the old one, which no other account gets until then', async () => {
    const { email, path, client } = await signUp();
    const chosen = newEmail();
    await client.patch(path, { email: chosen });
    expect((await api().post('/users', { email, password })).status).toBe(409);
    const stranger = await signUp();
    expect((await stranger.client.patch(stranger.path, { email })).status).toBe(409);
    // A thief does not use up the notices of the owner.
    for (let times = 0; times < 2; times += 1)
      for (const next of [newEmail(), chosen]) await client.patch(path, { email: next });
    const [first] = (await rest.mailsTo(email)).slice(-1);
    const token = new URL(first?.text?.link ?? '').hash.slice('#token='.length);
    expect((await rest.undo(token)).status).toBe(204);
    expect([await rest.login(chosen), await rest.login(email, another)]).toEqual([401, 200]);
    expect((await client.get('/users/me')).status).toBe(401);
  });

  it('an e-mail is notified of its change, however many mails the new one was sent', async () => {
    const victim = await signUp();
    const chosen = newEmail();
    const thief = await signUp(chosen);
    for (let times = 0; times < 3; times += 1)
      for (const email of [newEmail(), chosen]) await thief.client.patch(thief.path, { email });
    await api
      .app()
      .get(Database, { strict: false })
      .deleteFrom('account')
      .where('id', '=', thief.id)
      .execute();
    await victim.client.patch(victim.path, { email: chosen });
    expect(await kindsTo(victim.email)).toEqual(['email-changed']);
  });

  it('a changed e-mail is not verified once verification is on', async () => {
    const { email, path, client, id } = await signUp();
    await api().post('/auth/password-resets', { username: email });
    const token = await rest.newestToken(email);
    await api().post('/auth/password-resets/complete', { token, password });
    const store = api.app().get(AccountsStore, { strict: false });
    expect((await store.findById(id))?.emailVerifiedAt).toBeInstanceOf(Date);
    expect((await client.get('/users/me')).status).toBe(401);
    await (await api().signIn(email, password)).patch(path, { email: newEmail() });
    expect((await store.findById(id))?.emailVerifiedAt).toBeNull();
  });
});
