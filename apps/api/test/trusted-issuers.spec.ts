import { Administration, type SignedInUser } from '@app/accounts';
import { FakeIssuer } from '@app/accounts/testing';
import { Caller, Roles, Scopes, UseStrategy } from '@app/auth';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { Returns } from '@app/contract';
import { newEmail } from '@app/service/testing';
import type { TrustedCaller } from '@app/trusted-issuers';
import { Controller, Get } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { generateSync } from 'otplib/functional';
import { bootApi } from '../testing/boot-api';

@Exclude()
class Seen {
  @Expose() role!: string;
  @Expose() subject?: string;
}

@Controller('ledger')
class LedgerController {
  @Get('admin')
  @Roles('admin')
  @Returns(Seen)
  administrators(@Caller() { role }: SignedInUser): Seen {
    return { role };
  }

  @Get('items')
  @Scopes('items:read')
  @Returns(Seen)
  items(@Caller() { role }: SignedInUser): Seen {
    return { role };
  }

  @Get('machines')
  @UseStrategy('trusted-issuer')
  @Returns(Seen)
  machines(@Caller() { role, subject }: TrustedCaller): Seen {
    return { role, subject };
  }
}

describe('tokens of trusted issuers', () => {
  const env: Record<string, string> = {};
  let people: FakeIssuer;
  let machines: FakeIssuer;
  let absent: FakeIssuer;
  beforeAll(async () => {
    [people, machines, absent] = await Promise.all([
      FakeIssuer.start(),
      FakeIssuer.start(),
      FakeIssuer.start(),
    ]);
    await absent.stop();
    people.metadata = {
      introspection_endpoint: `${people.url}/introspect`,
      authorization_endpoint: `${people.url}/authorize`,
      token_endpoint: `${people.url}/token`,
    };
    Object.assign(env, {
      EMAIL_CODES: '20/1h',
      OIDC_PEOPLE_ISSUER: people.url,
      OIDC_PEOPLE_CLIENT_ID: 'shop',
      OIDC_PEOPLE_CLIENT_SECRET: 'a client secret of the tests',
    });
    env.TOKEN_INTROSPECTION = `${people.url} client=shop-api secret=of-the-tests cache=1m`;
    env.TRUSTED_ISSUERS = [
      `${people.url} audience=shop-api leeway=1s roles=groups role-map=ops:admin scopes=grants scope-map=all:read,all:write,items:items:read`,
      `${machines.url} audience=shop-api accounts=off`,
      `${absent.url} audience=shop-api`,
    ].join('\n');
  });
  afterAll(() => Promise.all([people.stop(), machines.stop()]));
  const api = bootApi({ env, controllers: [LedgerController] });
  const db = () => api.app().get(Database, { strict: false });

  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
  /** A token that may do everything, issued a while ago. */
  const tokenOf = (sub: string, claims: object = {}) =>
    people.sign({ sub, grants: 'all', iat: seconds(-60), ...claims });
  const callerOf = async (token: string) => (await api().as(token).get('/auth/profile')).json;
  const statusOf = async (path: string, token: string) => (await api().as(token).get(path)).status;

  it('give their subject an account at first sight, and the same one later', async () => {
    const [first, second] = [await tokenOf('ada'), await tokenOf('ada')];
    const { userId, username } = await callerOf(first);
    expect(username).toMatch(/@trusted-issuer\.invalid$/);
    expect([await callerOf(second), await callerOf(first)]).toMatchObject([{ userId }, { userId }]);
    expect((await callerOf(await tokenOf('bob'))).userId).not.toBe(userId);
    const events = await db().selectFrom('auditEvent').selectAll().where('accountId', '=', userId).execute();
    expect(events).toMatchObject([
      { kind: 'account-created', detail: expect.stringContaining('"subject":"ada"') },
    ]);
  });

  it('that are the first of a subject make one account, however many come at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 12 }, () => tokenOf('carol')));
    const callers = await Promise.all(tokens.map(callerOf));
    expect(new Set(callers.map(({ userId }) => userId)).size).toBe(1);
  });

  it('are not linked to an account by an e-mail that they claim', async () => {
    const email = api.administratorEmail;
    const claims = { email, email_verified: true, preferred_username: email, username: email };
    const caller = await callerOf(await tokenOf(email, claims));
    expect(caller.username).not.toBe(email);
  });

  it('are rejected as any other invalid token is', async () => {
    const reply = await api()
      .as(await tokenOf('ada', { aud: 'billing' }))
      .get('/auth/profile');
    expect([reply.status, reply.json, reply.headers.get('www-authenticate')]).toEqual([
      401,
      { statusCode: 401, message: 'Unauthorized' },
      'Bearer',
    ]);
    expect(await statusOf('/auth/profile', await api.tokenOf({}))).toBe(200);
  });

  it('of an account that was deleted do not create another one', async () => {
    const [token, later] = [await tokenOf('dave', { auth_time: seconds(0) }), await tokenOf('dave')];
    const { userId } = await callerOf(token);
    expect((await api().as(token).delete('/users/me')).status).toBe(204);
    for (const rejected of [token, later, await tokenOf('dave')])
      expect(await statusOf('/auth/profile', rejected)).toBe(401);
    const left = await db().selectFrom('account').select('id').where('id', '=', userId).execute();
    expect(left).toEqual([]);
  });

  it('of an account that is disabled have a 403, and are not valid again when it is enabled', async () => {
    const token = await tokenOf('erin');
    const { userId } = await callerOf(token);
    const administration = api.app().get(Administration, { strict: false });
    await administration.change(userId, { disabled: true });
    expect(await statusOf('/auth/profile', token)).toBe(403);
    await administration.change(userId, { disabled: false });
    expect(await statusOf('/auth/profile', token)).toBe(401);
    expect(await statusOf('/auth/profile', await tokenOf('erin'))).toBe(401);
  });

  it('end with the sign-ins of their subject, by the time of their issue', async () => {
    const [used, unused] = [await tokenOf('frank', { auth_time: seconds(0) }), await tokenOf('frank')];
    await callerOf(used);
    expect((await api().as(used).delete('/auth/sessions')).status).toBeLessThan(300);
    for (const token of [used, unused]) expect(await statusOf('/auth/profile', token)).toBe(401);
    // The clock of the issuer may be ahead by a second: this one may be of before.
    expect(await statusOf('/auth/profile', await tokenOf('frank', { iat: seconds(0) }))).toBe(401);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3000 });
    expect(await statusOf('/auth/profile', await tokenOf('frank', { iat: seconds(0) }))).toBe(200);
    expect(await statusOf('/auth/profile', used)).toBe(401);
    vi.useRealTimers();
  });

  it('end one by one, by signing out', async () => {
    const [first, second] = [await tokenOf('grace'), await tokenOf('grace')];
    expect((await api().as(first).post('/auth/logout')).status).toBeLessThan(300);
    expect([await statusOf('/auth/profile', first), await statusOf('/auth/profile', second)]).toEqual([
      401, 200,
    ]);
  });

  it('have the role that their claims map to, also where a transaction checks it again', async () => {
    const operator = await tokenOf('heidi', { groups: ['ops'], auth_time: seconds(0) });
    expect(await statusOf('/ledger/admin', operator)).toBe(200);
    expect(await statusOf('/ledger/admin', await tokenOf('heidi', { groups: ['admin'] }))).toBe(403);
    expect((await api().as(operator).post('/auth/api-keys', { name: 'robot' })).status).toBe(201);
  });

  it('give an API key no more than the account itself has', async () => {
    const operator = await tokenOf('ivan', { groups: 'ops', auth_time: seconds(0) });
    const { apiKey } = (await api().as(operator).post('/auth/api-keys', { name: 'robot' })).json;
    expect((await api().with({ 'x-api-key': apiKey }).send('POST', '/items', {})).status).not.toBe(201);
  });

  it('are restricted to the scopes that their claims map to', async () => {
    const restricted = await tokenOf('judy', { grants: 'items' });
    expect(await statusOf('/ledger/items', restricted)).toBe(200);
    expect(await statusOf('/auth/profile', restricted)).toBe(403);
    expect(await statusOf('/ledger/items', await tokenOf('judy', { grants: undefined }))).toBe(403);
  });

  it('are recent by the time of the sign-in at their issuer', async () => {
    const change = async (claims: object) =>
      (
        await api()
          .as(await tokenOf('mallory', claims))
          .post('/auth/api-keys', { name: 'robot' })
      ).status;
    expect(await change({})).toBe(403);
    expect(await change({ auth_time: seconds(-1000) })).toBe(403);
    expect(await change({ auth_time: seconds(-100) })).toBe(201);
  });

  it('whose callers have no account are accepted by routes that name their strategy alone', async () => {
    const token = await machines.sign({ sub: 'robot' });
    const reply = await api().as(token).get('/ledger/machines');
    expect([reply.status, reply.json]).toEqual([200, { role: 'user', subject: 'robot' }]);
    expect(await statusOf('/ledger/machines', token)).toBe(200);
    expect(await statusOf('/auth/profile', token)).toBe(401);
    expect(await statusOf('/ledger/machines', await tokenOf('ada'))).toBe(401);
    expect(await statusOf('/ledger/machines', await api.tokenOf({}))).toBe(401);
  });

  it('of an issuer whose keys were never read have a 503, and harm no other', async () => {
    const reply = await api()
      .as(await absent.sign())
      .get('/auth/profile');
    expect([reply.status, Number(reply.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(await statusOf('/auth/profile', await tokenOf('ada'))).toBe(200);
  });

  it('are introspected if they are no JWT, and end with the sign-ins of their subject as well', async () => {
    people.documents['/realms/shop/introspect'] = {
      active: true,
      sub: 'grace',
      aud: 'shop-api',
      token_type: 'Bearer',
      grants: ['all'],
      groups: ['ops'],
      iat: seconds(-60),
      exp: seconds(240),
    };
    const asked = () => people.requests.filter((path) => path.endsWith('/introspect')).length;
    expect(await statusOf('/ledger/admin', 'an-opaque-token')).toBe(200);
    const { userId } = await callerOf('an-opaque-token');
    expect((await callerOf(await tokenOf('grace'))).userId).toBe(userId);
    expect([asked(), await statusOf('/ledger/machines', 'an-opaque-token')]).toEqual([1, 401]);
    expect((await api().as('an-opaque-token').delete('/auth/sessions')).status).toBe(204);
    expect([await statusOf('/auth/profile', 'an-opaque-token'), asked()]).toEqual([401, 1]);
    people.documents['/realms/shop/introspect'] = { active: false };
    expect(await statusOf('/auth/profile', 'another-opaque-token')).toBe(401);
  });

  it('that are secrets of the program itself are sent to no issuer', async () => {
    const email = newEmail();
    const password = 'correct horse battery staple';
    await api().post('/users', { email, password });
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    const client = api().as(session.access_token);
    const { apiKey } = (await client.post('/auth/api-keys', { name: 'robot' })).json;
    const { nonce } = (await api().post('/auth/email-codes', { username: email })).json;
    const { secret } = (await client.post('/auth/factors/totp')).json;
    const code = generateSync({ secret, epoch: seconds(0) });
    expect((await client.post('/auth/factors/totp/confirm', { code })).status).toBe(200);
    const { mfa_token } = (await api().post('/auth/sessions', { username: email, password })).json;
    const { request } = (await api().post('/auth/providers/people/authorize')).json;
    await api().post('/auth/password-resets', { username: email });
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 20, offset: 0 });
    const links = mails.flatMap(({ text }) => /#token=([\w-]{20,})/.exec(text?.text ?? '')?.[1] ?? []);
    expect(links).not.toEqual([]);
    const damaged = session.access_token.replace('.', '._');
    const truncated = apiKey.slice(0, -1);
    const before = people.requests.length;
    const secrets = [apiKey, truncated, session.refresh_token, nonce, mfa_token, request, ...links];
    for (const text of [...secrets, damaged]) {
      expect([text, await statusOf('/auth/profile', String(text))]).toEqual([text, 401]);
      expect([text, people.requests.slice(before)]).toEqual([text, []]);
    }
  });

  it('are accepted while their issuer is down', async () => {
    await callerOf(await tokenOf('ada'));
    await people.stop();
    expect(await statusOf('/auth/profile', await tokenOf('niaj'))).toBe(200);
    await people.resume();
  });
});
