import { join } from 'node:path';
import { IdentityProvider } from '@app/accounts/testing';
import {
  makePng,
  beginPasskey,
  beginTotp,
  enrolPasskey,
  type Client,
  enrolTotp,
  type EmailTokens,
  insertEmailLinks,
  LeakSweep,
  LeakDetector,
  newEmail,
  Samples,
} from '@app/service/testing';
import { Public } from '@app/auth';
import { Outbox } from '@app/mail';
import { MembersStore } from '@app/organizations';
import { Database, StoreUnavailableError, UniqueViolationError } from '@app/persistence';
import { Returns } from '@app/contract';
import { ConflictException, Controller, Get, HttpException, Param } from '@nestjs/common';
import { bootApi } from '../testing/boot-api';

const secret = 'the secret of this very suite, which signs its tokens';
const previous = 'the secret that signed the tokens of the suite before it';
/** Handlers throw errors that contain a row, like those of drivers. */
const carried = 'carried-by-an-error-and-by-nothing-else';
const row = { passwordHash: carried, detail: carried, parameters: [carried] };

const errors: readonly (() => unknown)[] = [
  () => Object.assign(new Error('a driver failed'), row),
  () => new Error('wrapped', { cause: Object.assign(new Error('a driver failed'), row) }),
  () => Object.assign(new UniqueViolationError('a_constraint'), row),
  () => new StoreUnavailableError('gone', { cause: Object.assign(new Error('no route'), row) }),
  () => new AggregateError([Object.assign(new Error('one'), row)], 'several'),
  () => new HttpException({ ...row, message: 'told' }, 418),
  () => new ConflictException(row, { cause: row }),
  () => row,
  () => carried,
];

@Controller('trial')
@Public()
class TrialController {
  @Get('throw/:which') @Returns('nothing') fail(@Param('which') which: string): never {
    throw errors[Number(which)]();
  }
}

let acme: IdentityProvider;
beforeAll(async () => {
  acme = await IdentityProvider.start('acme');
});
afterAll(() => acme.stop());

/** Starts `api`, and after each test checks responses, headers and log for secrets. */
function bootWatched() {
  const detector = new LeakDetector();
  const env: Record<string, string> = {
    JWT_SECRET: secret,
    JWT_SECRET_PREVIOUS: previous,
    ACCESS_TOKEN_TTL: '1h',
    SIGN_IN_FAILURES: '3',
    LOG_LEVEL: 'trace',
    EMAIL_VERIFICATION: 'on',
    EMAIL_CODES: '1000/1h',
    API_URL: 'https://api.example.com',
    APP_URL: 'http://localhost:3000',
  };
  beforeAll(() => void Object.assign(env, acme.env));
  const api = bootApi({
    logs: detector.logs,
    controllers: [TrialController],
    env,
  });
  const sweep = new LeakSweep(api, detector);
  detector.keep('JWT_SECRET', secret);
  detector.keep('JWT_SECRET_PREVIOUS', previous);
  detector.keep('the password of the administrator', api.administratorPassword);
  detector.keep('the row in an error', carried);
  afterEach(() => {
    expect(detector.checkLog()).toBeGreaterThan(0);
    expect(detector.leaks).toEqual([]);
  });

  /** A password that must not appear anywhere. */
  function password(): string {
    const newPassword = fresh('password');
    detector.keep('a password', newPassword);
    return newPassword;
  }

  async function signUp(): Promise<Person> {
    const credentials = { email: newEmail(), password: password() };
    const { headers } = await api().post('/users', credentials);
    const { email: username } = credentials;
    const { json } = await api().post('/auth/login', { username, password: credentials.password });
    detector.keep('an access token', json.access_token);
    return { ...credentials, client: api().as(json.access_token), id: idIn(headers) };
  }

  return { api, detector, sweep, password, signUp };
}

/** A registered user. */
interface Person {
  readonly client: Client;
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

let serial = 0;

function fresh(name: string): string {
  return `${name}-${(serial += 1)}-${Math.random().toString(36).slice(2)}`;
}

describe('no secret is in a response, a header or the log', () => {
  const { api, detector, sweep, password, signUp } = bootWatched();
  let resetToken = '';
  let emailTokens: EmailTokens = { confirm: '', undo: '' };

  it('when every route is called without authentication and by a user, an owner and an administrator', async () => {
    const [user, owner, administrator] = [await signUp(), await signUp(), await api.administrator()];
    const plan = await planFor({ user, owner, administrator });
    await sweep.seed();
    resetToken = await newResetToken(user.email);
    const { confirm } = await newEmailTokens((await administrator.get('/auth/profile')).json.userId);
    emailTokens = { ...(await newEmailTokens((await signUp()).id)), confirm };
    const swept = await sweep.callEveryRoute(plan);
    expect(swept.routes.length).toBeGreaterThan(30);
    expect(swept.failed).toEqual(['GET /trial/throw/:which']);
    expect([...swept.statuses]).toEqual(expect.arrayContaining([200, 201, 204, 401, 403, 404]));
  }, 60_000);

  it('when requests are rejected, with every error of the ingress', async () => {
    const mark = password();
    const { client, email } = await signUp();
    const sent: readonly [number, Promise<Response>][] = [
      [400, raw('POST', '/users', `{"password":"${mark}`)],
      [400, raw('POST', '/users', `{"email":"nobody","password":"${mark}","${mark}":"${mark}"}`)],
      [400, raw('POST', '/auth/login', `{"username":"${email}","password":["${mark}"]}`)],
      [400, raw('POST', '/users', `{"password":"${mark}\\ud800","email":"a@example.com"}`)],
      [400, raw('POST', '/users', `{"__proto__":{"password":"${mark}"}}`)],
      [400, raw('POST', '/users', '['.repeat(40) + JSON.stringify(mark) + ']'.repeat(40))],
      [413, raw('POST', '/users', JSON.stringify({ password: mark.padEnd(200_000, '.') }))],
      [415, raw('POST', '/users', `password=${mark}`, { 'content-type': 'text/plain' })],
      [404, raw('GET', `/nowhere?access_token=${mark}`)],
      [401, raw('GET', `/items?password=${mark}`)],
      [401, raw('GET', '/items', undefined, { authorization: `Bearer ${mark}` })],
      [401, raw('GET', '/items', undefined, { authorization: `Basic ${btoa(`a:${mark}`)}` })],
      [401, raw('GET', '/items', undefined, { 'x-api-key': `sk_${mark}`, cookie: `session=${mark}` })],
      [401, raw('POST', '/auth/refresh', JSON.stringify({ refresh_token: mark }))],
    ];
    for (const [status, answering] of sent) {
      const answer = await answering;
      // The name of a rejected field is returned to its sender only.
      const text = (await answer.text()).replaceAll(`property ${mark} should`, 'property … should');
      expect(answer.status).toBe(status);
      detector.check(answer.url, { text, headers: answer.headers });
    }
    const failLogin = async (): Promise<number> => {
      const reply = await api().post('/auth/login', { username: email, password: mark });
      sweep.checkReply('a failed login', reply);
      // Passwords are hashed one at a time, which takes longer on a busy machine.
      return reply.status === 503 ? failLogin() : reply.status;
    };
    expect(new Set(await Promise.all(Array.from({ length: 5 }, failLogin)))).toEqual(new Set([401, 429]));
    sweep.checkReply('a taken e-mail', await api().post('/users', { email, password: mark }));
    sweep.checkReply('a list of administrators', await client.get('/users'));
  });

  it('when handlers throw errors that contain one', async () => {
    for (const which of errors.keys()) {
      const reply = await api().get(`/trial/throw/${which}`);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      sweep.checkReply(`throw ${which}`, reply);
    }
  });

  let confirmation: { readonly code: string } | undefined;
  let pendingSignIn: object | undefined;
  let passkey: object | undefined;
  let invitation = '';
  let emailCode: object | undefined;
  let authorization: Awaited<ReturnType<IdentityProvider['responseFor']>> | undefined;

  /** Signs in with the authenticator application that a route needs. */
  async function enrolling(
    route: string,
    { client, email, password: ownPassword }: Awaited<ReturnType<typeof signUp>>,
  ): Promise<Client> {
    if (route === 'POST /auth/email-codes/complete') {
      await api
        .app()
        .get(Database, { strict: false })
        .updateTable('account')
        .set({ emailVerifiedAt: new Date() })
        .where('email', '=', email)
        .execute();
      const { json } = await api().post('/auth/email-codes', { username: email });
      const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      detector.keep('the nonce of a code', json.nonce);
      emailCode = { nonce: json.nonce, code: mail?.text?.link?.split('#token=')[1] };
    } else if (route === 'POST /auth/sessions/complete') {
      const { recoveryCodes } = await enrolTotp(client);
      const { json } = await api().post('/auth/sessions', { username: email, password: ownPassword });
      detector.keep('the token of a pending sign-in', json.mfa_token);
      pendingSignIn = { mfa_token: json.mfa_token, factor: 'recovery-code', code: recoveryCodes[0] };
    } else if (route.startsWith('POST /auth/providers/')) {
      authorization = await acme.responseFor(
        client,
        undefined,
        route.includes('/link') ? 'link' : 'authorize',
      );
      detector.keep('what binds a client to its authorization', authorization.request);
    } else if (route === 'POST /auth/factors/totp/confirm') {
      const pending = await beginTotp(client);
      detector.keep('a TOTP secret', pending.secret);
      confirmation = pending.body;
    } else if (route === 'POST /auth/factors/passkeys/confirm') {
      passkey = await beginPasskey(client);
    } else if (route === 'POST /auth/passkeys/complete') {
      const enrolled = await enrolPasskey(client);
      for (const kept of enrolled.recoveryCodes) detector.keep('a recovery code', kept);
      passkey = enrolled.body;
    } else if (route.includes('/auth/factors')) {
      const enrolled = await enrolTotp(client);
      for (const kept of [enrolled.secret, ...enrolled.recoveryCodes])
        detector.keep('a secret of a second factor', kept);
    }
    return client;
  }

  async function planFor({
    user,
    owner,
    administrator,
  }: Record<'user' | 'owner', Awaited<ReturnType<typeof signUp>>> & { administrator: Client }) {
    await insertEmailLinks(api.app(), owner.id).then(({ confirm }) =>
      owner.client.post('/auth/email-verifications/complete', { token: confirm }),
    );
    const samples = new Samples(() => api, join(__dirname, '../testing'));
    const sampled = await samples.sweepPlan({ caller: owner.client, admin: administrator });
    const { organizationId } = await organizationOf(owner.client, user.id);
    const invitations = `/organizations/${organizationId}/invitations`;
    const { id: invited } = (await owner.client.post(invitations, { email: newEmail(), role: 'member' }))
      .json;
    const ofOrganization = { organizationId, accountId: user.id, id: invited };
    const key = await owner.client.post('/auth/api-keys', { name: 'a machine' });
    const session = await api().post('/auth/sessions', { username: owner.email, password: owner.password });
    const sessions = await owner.client.get('/auth/sessions');
    detector.keep('an API key', key.json.apiKey);
    const machine = api().with({ 'x-api-key': key.json.apiKey });
    const { refresh_token } = session.json;
    const accountId: number = (await administrator.get('/users/me')).json.id;
    const byId = (id: number) => ({ id });
    return {
      callers: [
        { name: 'nobody', client: api() },
        { name: 'a user', client: user.client, accountId: user.id },
        { name: 'a machine', client: machine },
        { name: 'the owner', client: owner.client, accountId: owner.id },
        { name: 'an administrator', client: administrator, isAdministrator: true, accountId },
      ],
      parameters: {
        '/users/:id': byId(owner.id),
        ...sampled.parameters,
        '/problems/:code': { code: 'value-conflict' },
        '/auth/factors/:factor': { factor: 'totp' },
        ...Object.fromEntries(
          ['authorize', 'complete', 'link', 'link/complete'].map((step) => [
            `/auth/providers/:provider/${step}`,
            { provider: 'acme' },
          ]),
        ),
        '/organizations/:organizationId': ofOrganization,
        '/organizations/:organizationId/members': ofOrganization,
        '/organizations/:organizationId/members/:accountId': ofOrganization,
        '/organizations/:organizationId/audit': ofOrganization,
        '/organizations/:organizationId/transfer': ofOrganization,
        '/organizations/:organizationId/invitations': ofOrganization,
        '/organizations/:organizationId/invitations/:id': ofOrganization,
        '/auth/api-keys/:id': byId(key.json.id),
        '/auth/sessions/:id': byId(sessions.json.items[0].id),
        '/trial/throw/:which': { which: 0 },
      },
      bodies: {
        'POST /users': () => ({ email: newEmail(), password: password() }),
        'PATCH /users/:id': () => ({ email: newEmail(), password: password() }),
        ...sampled.bodies,
        'PUT /users/me/picture': picture,
        'POST /organizations': () => ({ name: 'Kestrel' }),
        'PATCH /organizations/:organizationId': () => ({ name: 'Merlin' }),
        'PATCH /organizations/:organizationId/members/:accountId': () => ({ role: 'member' }),
        'POST /organizations/:organizationId/transfer': () => ({ accountId: owner.id }),
        'POST /organizations/:organizationId/invitations': () => ({ email: newEmail(), role: 'member' }),
        'POST /invitations/accept': () => ({ token: invitation }),
        'POST /auth/api-keys': () => ({ name: 'another machine' }),
        'POST /auth/password-changes': () => ({ password: password() }),
        'POST /auth/password-resets': () => ({ username: owner.email }),
        'POST /auth/password-resets/complete': () => ({
          token: resetToken,
          password: password(),
        }),
        'POST /auth/email-verifications/complete': () => ({ token: emailTokens.confirm }),
        'POST /auth/email-changes/undo': () => ({ token: emailTokens.undo, password: password() }),
        'POST /auth/factors/totp/confirm': () => confirmation,
        'POST /auth/factors/passkeys/confirm': () => passkey,
        'POST /auth/passkeys': () => ({}),
        'POST /auth/passkeys/complete': () => passkey,
        'POST /auth/sessions/complete': () => pendingSignIn,
        'POST /auth/email-codes': () => ({ username: owner.email }),
        'POST /auth/email-codes/complete': () => emailCode,
        'POST /auth/providers/:provider/complete': () => authorization,
        'POST /auth/providers/:provider/link/complete': () => authorization,
        'POST /auth/login': () => ({ username: owner.email, password: owner.password }),
        'POST /auth/sessions': () => ({ username: owner.email, password: owner.password }),
        'POST /auth/refresh': () => ({ refresh_token }),
      },
      last: [
        'DELETE /organizations/:organizationId',
        // Ends the links of its caller.
        'POST /auth/email-verifications',
        'PATCH /users/:id',
        'POST /auth/logout',
        'POST /auth/password-resets/complete',
        'POST /auth/email-changes/undo',
      ],
      export: 'GET /users/me/export',
      byNewcomers: {
        routes: [
          'DELETE /auth/sessions',
          'DELETE /users/me',
          'POST /auth/password-changes',
          'POST /auth/email-codes/complete',
          'POST /auth/sessions/complete',
          'POST /auth/providers/:provider/complete',
          'POST /auth/providers/:provider/link/complete',
          'POST /auth/factors/totp/confirm',
          'POST /auth/factors/passkeys/confirm',
          'POST /auth/passkeys/complete',
          'POST /auth/factors/recovery-codes',
          'DELETE /auth/factors/:factor',
          'POST /invitations/accept',
        ],
        newcomer: async (route: string) => {
          const newcomer = await signUp();
          if (route === 'POST /invitations/accept')
            invitation = await invite(owner.client, invitations, newcomer.email);
          return enrolling(route, newcomer);
        },
      },
    };
  }

  /** Returns the token of a mailed invitation. */
  async function invite(owner: Client, path: string, email: string): Promise<string> {
    await api
      .app()
      .get(Database, { strict: false })
      .updateTable('account')
      .set({ emailVerifiedAt: new Date() })
      .where('email', '=', email)
      .execute();
    await owner.post(path, { email, role: 'member' });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const token = mail?.text?.link?.split('#token=')[1] ?? '';
    detector.keep('the token of an invitation', token);
    return token;
  }

  /** Creates an organization with a member. */
  async function organizationOf(owner: Client, accountId: number) {
    const organizationId: number = (await owner.post('/organizations', { name: 'Kestrel' })).json.id;
    const db = api.app().get(Database, { strict: false });
    await api
      .app()
      .get(MembersStore, { strict: false })
      .insert({ organizationId, accountId, role: 'member', createdAt: new Date() }, db);
    return { organizationId };
  }

  /** The e-mail for an account that calls nothing. */
  async function newEmailTokens(id: number): Promise<EmailTokens> {
    const tokens = await insertEmailLinks(api.app(), id);
    for (const [kind, token] of Object.entries(tokens)) detector.keep(`the token of a link: ${kind}`, token);
    return tokens;
  }

  /** The data for an account that sends no request. It appears in no response and no log line. */
  async function newResetToken(username: string): Promise<string> {
    await api().post('/auth/password-resets', { username });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const token = mail?.text?.link?.split('#token=')[1] ?? '';
    detector.keep('the token of a reset', token);
    return token;
  }

  function raw(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return fetch(api().url + path, { method, body, headers: { ...type, ...headers } });
  }
});

describe('no secret is in a response, a header or the log while the database fails', () => {
  const { api, sweep, password, signUp } = bootWatched();

  it('when some or all queries fail', async () => {
    const { client, email } = await signUp();
    const [administrator, plain] = [await api.administrator(), password()];
    await sweep.remember();
    const callers = [
      { name: 'a user', client },
      { name: 'an administrator', client: administrator },
    ];
    const body = { username: email, email: newEmail(), password: plain, name: plain, slug: 'a', sku: 'a' };
    const statuses = await sweep.callWithoutStore(callers, body);
    expect([...statuses]).toEqual(expect.arrayContaining([500, 503]));
  });
});

/** A form with a PNG file. */
function picture(): FormData {
  const form = new FormData();
  form.append('picture', new Blob([makePng()]), 'me.png');
  return form;
}

function idIn(headers: Headers): number {
  return Number(headers.get('location')?.split('/').at(-1));
}
