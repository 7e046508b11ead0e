import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AuditLog } from '@app/accounts';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { describeRoutes } from '@app/service';
import { type Client, enrolPasskey, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [own, initial, chosen] = ['the password of before', 'set by an administrator', 'a phrase of my own'];
const refused = { statusCode: 403, message: 'the password must be changed first', error: 'Forbidden' };
const problems = { accept: 'application/problem+json' };

describe('an account whose password an administrator set', () => {
  const api = bootApi();

  async function newUser() {
    const email = newEmail();
    const path = (await api().post('/users', { email, password: own })).headers.get('location') ?? '';
    return { email, path, id: Number(path.split('/').at(-1)), client: await api().signIn(email, own) };
  }
  const give = async ({ email, path }: { readonly email: string; readonly path: string }, choice = {}) => {
    const body = { email, password: initial, ...choice };
    const { status } = await (await api.administrator()).patch(path, body);
    expect(status).toBe(200);
  };
  const change = (client: Client, password = chosen) => client.post('/auth/password-changes', { password });

  it('may do nothing but change it and sign out, until it is changed', async () => {
    const user = await newUser();
    await give(user);
    const client = await api().signIn(user.email, initial);
    const closed = describeRoutes(api.app()).filter(({ callers }) => callers.strategies[0] === 'jwt');
    expect(closed.length).toBeGreaterThan(30);
    const signsOut = ({ path }: { readonly path: string }) => path === '/auth/logout';
    const open: string[] = [];
    for (const {
      method,
      path,
      callers: { facets },
    } of closed.toSorted((left, right) => Number(signsOut(left)) - Number(signsOut(right)))) {
      const url = path.replaceAll(/:\w+/g, String(user.id));
      const { status, json } = await client
        .with(problems)
        .send(method, url, method === 'GET' ? undefined : {});
      // A gate refuses a stranger first.
      if (status === 404 && facets?.some(({ hasGate }) => hasGate)) continue;
      if (status !== 403 || json.code !== 'password-change-required')
        open.push(`${method} ${path} ${status}`);
    }
    expect(open).toEqual(['POST /auth/password-changes 400', 'POST /auth/logout 204']);
  });

  it('has no file with the password any more that was generated for it', async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const { dialect, place } = api.app().get(Database, { strict: false });
    // Only the embedded store has a folder for the file.
    const file = join(dialect === 'sqlite' ? dirname(place) : tmpdir(), 'first-administrator.txt');
    await writeFile(file, `${user.email}\n${own}\n`);
    try {
      expect((await change(stranger.client)).status).toBe(204);
      expect(existsSync(file)).toBe(true);
      expect((await change(user.client)).status).toBe(204);
      expect(existsSync(file)).toBe(dialect !== 'sqlite');
    } finally {
      await rm(file, { force: true });
    }
  });

  it('is a caller like any other afterwards, in the same session', async () => {
    const user = await newUser();
    await give(user);
    const { json: session } = await api().post('/auth/sessions', { username: user.email, password: initial });
    const client = api().as(session.access_token);
    const before = await client.get('/users/me');
    expect([before.status, before.json]).toEqual([403, refused]);
    const { status, headers } = await change(client);
    expect([status, headers.get('active-api-keys')]).toEqual([204, '0']);
    expect((await client.get('/users/me')).status).toBe(200);
    const signIn = { username: user.email, password: initial };
    expect((await api().post('/auth/login', signIn)).status).toBe(401);
    expect((await (await api().signIn(user.email, chosen)).get('/users/me')).status).toBe(200);
    const events = await api
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 20, offset: 0 }, { accountId: user.id, kind: 'password-changed' });
    expect(events.map(({ detail }) => JSON.parse(detail))).toEqual([
      { keys: 0 },
      { keys: 0, keepsFactors: false, mustChangePassword: true },
    ]);
  });

  it('does not keep the password that it must change, by a reset either', async () => {
    const user = await newUser();
    await give(user);
    const client = await api().signIn(user.email, initial);
    const { status, json } = await change(client.with(problems), initial);
    expect([status, json.code]).toEqual([400, 'unchanged-password']);
    await api().post('/auth/password-resets', { username: user.email });
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 5, offset: 0 });
    const link = mails.find(({ kind, recipient }) => kind === 'password-reset' && recipient === user.email);
    const token = link?.text?.link?.split('#token=')[1];
    const reset = (password: string) =>
      api().with(problems).post('/auth/password-resets/complete', { token, password });
    expect((await reset(initial)).json.code).toBe('unchanged-password');
    expect((await reset(chosen)).status).toBe(204);
    expect((await (await api().signIn(user.email, chosen)).get('/users/me')).status).toBe(200);
  });

  it('is told by mail', async () => {
    const user = await newUser();
    await give(user);
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 5, offset: 0 });
    const mail = mails.find(({ recipient }) => recipient === user.email);
    expect(mail?.text?.text).toContain('you will have to choose another one when you sign in');
  });

  it('must change it however it signs in, and after a refresh too', async () => {
    const user = await newUser();
    const { body } = await enrolPasskey(user.client);
    await give(user, { keepFactors: true });
    const { json } = await api().post('/auth/passkeys/complete', body);
    expect((await api().as(json.access_token).get('/users/me')).status).toBe(403);
    const { json: refreshed } = await api().post('/auth/refresh', { refresh_token: json.refresh_token });
    const client = api().as(refreshed.access_token);
    expect((await client.get('/users/me')).status).toBe(403);
    const { status, json: problem } = await change(client.with(problems));
    expect([status, problem.code]).toEqual([403, 'password-sign-in-required']);
  });

  it('keeps its API keys if the administrator says so, and makes no others', async () => {
    const user = await newUser();
    const { apiKey } = (await user.client.post('/auth/api-keys', { name: 'a robot' })).json;
    await give(user, { keepFactors: true });
    expect((await api().with({ 'x-api-key': apiKey }).get('/items')).status).toBe(200);
    const client = await api().signIn(user.email, initial);
    expect((await client.post('/auth/api-keys', { name: 'another' })).status).toBe(403);
  });
});
