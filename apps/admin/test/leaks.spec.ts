import { join } from 'node:path';
import { ApiKeys, RevocationFeed, SignUp } from '@app/accounts';
import { IdentityProvider } from '@app/accounts/testing';
import { Outbox } from '@app/mail';
import { OrganizationsStore } from '@app/organizations';
import { Database } from '@app/persistence';
import {
  beginPasskey,
  beginTotp,
  enrolPasskey,
  type Client,
  enrolTotp,
  insertEmailLinks,
  insertFailedEvent,
  LeakSweep,
  LeakDetector,
  newEmail,
  Samples,
} from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const secret = 'the secret of this very suite, which signs its tokens';

/** A signed-in user whose account an operator created. */
interface Person {
  readonly client: Client;
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly refreshToken: string;
}

let acme: IdentityProvider;
beforeAll(async () => {
  acme = await IdentityProvider.start('acme');
});
afterAll(() => acme.stop());

/** Starts `admin`, and after each test checks responses, headers and log for secrets. */
function bootWatched() {
  const detector = new LeakDetector();
  const env: Record<string, string> = {
    JWT_SECRET: secret,
    ACCESS_TOKEN_TTL: '1h',
    LOG_LEVEL: 'trace',
    EMAIL_VERIFICATION: 'on',
    EMAIL_CODES: '1000/1h',
    API_URL: 'https://api.example.com',
    APP_URL: 'http://localhost:3000',
  };
  beforeAll(() => void Object.assign(env, acme.env));
  const admin = bootAdmin({ logs: detector.logs, env });
  const sweep = new LeakSweep(admin, detector);
  detector.keep('JWT_SECRET', secret);
  detector.keep('the password of the administrator', admin.administratorPassword);
  afterEach(() => {
    expect(detector.checkLog()).toBeGreaterThan(0);
    expect(detector.leaks).toEqual([]);
  });

  function named() {
    const password = `password-${Math.random().toString(36).slice(2)}`;
    detector.keep('a password', password);
    return { email: newEmail(), password, firstName: 'Grace', lastName: 'Hopper' };
  }

  async function newPerson(): Promise<Person> {
    const body = named();
    const { id } = await admin.app().get(SignUp, { strict: false }).create(body);
    const { json } = await admin().post('/auth/sessions', { username: body.email, password: body.password });
    detector.keep('an access token', json.access_token);
    return { ...body, id, client: admin().as(json.access_token), refreshToken: json.refresh_token };
  }

  return { admin, sweep, named, newPerson };
}

describe('no secret is in a response, a header or the log', () => {
  const { admin, sweep, named, newPerson } = bootWatched();

  let confirmation: { readonly code: string } | undefined;
  let pendingSignIn: object | undefined;
  let passkey: object | undefined;
  let emailCode: object | undefined;
  let authorization: Awaited<ReturnType<IdentityProvider['responseFor']>> | undefined;

  /** Signs in with the authenticator application that a route needs. */
  async function enrolling(
    route: string,
    { client, email, password }: Awaited<ReturnType<typeof newPerson>>,
  ): Promise<Client> {
    if (route === 'POST /auth/email-codes/complete') {
      await admin
        .app()
        .get(Database, { strict: false })
        .updateTable('account')
        .set({ emailVerifiedAt: new Date() })
        .where('email', '=', email)
        .execute();
      const { json } = await admin().post('/auth/email-codes', { username: email });
      const [mail] = await admin.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      sweep.detector.keep('the nonce of a code', json.nonce);
      emailCode = { nonce: json.nonce, code: mail?.text?.link?.split('#token=')[1] };
    } else if (route === 'POST /auth/sessions/complete') {
      const { recoveryCodes } = await enrolTotp(client);
      const { json } = await admin().post('/auth/sessions', { username: email, password });
      sweep.detector.keep('the token of a pending sign-in', json.mfa_token);
      pendingSignIn = { mfa_token: json.mfa_token, factor: 'recovery-code', code: recoveryCodes[0] };
    } else if (route.startsWith('POST /auth/providers/')) {
      authorization = await acme.responseFor(
        client,
        undefined,
        route.includes('/link') ? 'link' : 'authorize',
      );
      sweep.detector.keep('what binds a client to its authorization', authorization.request);
    } else if (route === 'POST /auth/factors/totp/confirm') {
      const pending = await beginTotp(client);
      sweep.detector.keep('a TOTP secret', pending.secret);
      confirmation = pending.body;
    } else if (route === 'POST /auth/factors/passkeys/confirm') {
      passkey = await beginPasskey(client);
    } else if (route === 'POST /auth/passkeys/complete') {
      const enrolled = await enrolPasskey(client);
      for (const kept of enrolled.recoveryCodes) sweep.detector.keep('a recovery code', kept);
      passkey = enrolled.body;
    } else if (route.includes('/auth/factors')) {
      const enrolled = await enrolTotp(client);
      for (const kept of [enrolled.secret, ...enrolled.recoveryCodes])
        sweep.detector.keep('a secret of a second factor', kept);
    }
    return client;
  }

  it('when every route is called without authentication and by a user, an owner and an administrator', async () => {
    const [user, owner, operator] = [await newPerson(), await newPerson(), await admin.administrator()];
    const [first, second] = await opened(owner);
    const key = await admin
      .app()
      .get(ApiKeys, { strict: false })
      .create({ userId: owner.id }, { name: 'robot' });
    const enrolled = await newPerson();
    await enrolTotp(enrolled.client);
    await sweep.seed();
    const resetToken = await newResetToken(user.email);
    const db = admin.app().get(Database, { strict: false });
    const organization = await admin.app().get(OrganizationsStore, { strict: false }).insert('Kestrel', db);
    const [retried, discarded] = [await insertFailedEvent(db), await insertFailedEvent(db)];
    const { userId } = (await operator.get('/auth/profile')).json;
    const { confirm } = await insertEmailLinks(admin.app(), userId);
    const emailTokens = { ...(await insertEmailLinks(admin.app(), (await newPerson()).id)), confirm };
    for (const [kind, token] of Object.entries(emailTokens))
      sweep.detector.keep(`the token of a link: ${kind}`, token);
    const samples = new Samples(() => admin, join(__dirname, '../testing'));
    const sampled = await samples.sweepPlan({ caller: owner.client, admin: operator });
    const swept = await sweep.callEveryRoute({
      callers: [
        { name: 'nobody', client: admin() },
        { name: 'a user', client: user.client },
        { name: 'the owner', client: owner.client },
        { name: 'an administrator', client: operator, isAdministrator: true },
      ],
      parameters: {
        ...sampled.parameters,
        '/events/:id/retries': { id: retried },
        '/events/:id': { id: discarded },
        '/organizations/:id': { id: organization },
        '/users/:id': { id: owner.id },
        '/users/:id/sessions': { id: owner.id },
        '/users/:id/factors': { id: enrolled.id },
        '/users/:id/factors/:factor': { id: enrolled.id, factor: 'totp' },
        '/auth/factors/:factor': { factor: 'totp' },
        ...Object.fromEntries(
          ['authorize', 'complete', 'link', 'link/complete'].map((step) => [
            `/auth/providers/:provider/${step}`,
            { provider: 'acme' },
          ]),
        ),
        '/users/:id/api-keys': { id: owner.id },
        '/users/:id/api-keys/:key': { id: owner.id, key: key.row.id },
        '/users/:id/sessions/:session': { id: owner.id, session: first },
        '/auth/sessions/:id': { id: second },
        '/problems/:code': { code: 'not-found' },
      },
      bodies: {
        ...sampled.bodies,
        'POST /users': () => named(),
        'PATCH /users/:id': () => ({ role: 'user' }),
        'POST /auth/password-changes': () => ({ password: named().password }),
        'POST /auth/password-resets': () => ({ username: owner.email }),
        'POST /auth/password-resets/complete': () => ({
          token: resetToken,
          password: named().password,
        }),
        'POST /auth/email-verifications/complete': () => ({ token: emailTokens.confirm }),
        'POST /auth/email-changes/undo': () => ({ token: emailTokens.undo, password: named().password }),
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
        'POST /auth/refresh': () => ({ refresh_token: owner.refreshToken }),
      },
      last: [
        // Ends the links of its caller.
        'POST /auth/email-verifications',
        'DELETE /users/:id/api-keys',
        'DELETE /users/:id/sessions',
        'DELETE /users/:id',
        'POST /auth/logout',
        'POST /auth/password-resets/complete',
        'POST /auth/email-changes/undo',
      ],
      byNewcomers: {
        routes: [
          'DELETE /auth/sessions',
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
        ],
        newcomer: async (route) => enrolling(route, await newPerson()),
      },
    });
    expect(swept.routes.length).toBeGreaterThan(15);
    expect(swept.failed).toEqual([]);
    expect([...swept.statuses]).toEqual(expect.arrayContaining([200, 201, 204, 401, 403]));
  }, 60_000);

  it('when requests are rejected', async () => {
    const [operator, { email, ...rest }] = [await admin.administrator(), named()];
    const taken = { ...rest, email: admin.administratorEmail };
    const odd = { ...rest, email: 7, [email]: rest.password };
    const refusals = [
      ['a taken e-mail', await operator.post('/users', taken)],
      ['no e-mail', await operator.post('/users', odd)],
      ['no such kind', await operator.get(`/audit?kind=${rest.password}`)],
      ['no such page', await operator.get(`/users?after=${rest.password}`)],
    ] as const;
    for (const [what, reply] of refusals) sweep.checkReply(what, reply);
    expect(refusals.map(([, { status }]) => status)).toEqual([409, 400, 400, 400]);
  });

  /** Administrators read it in the outbox; the token stands there and nowhere else. */
  async function newResetToken(username: string): Promise<string> {
    await admin().post('/auth/password-resets', { username });
    const [mail] = await admin.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    return mail?.text?.link?.split('#token=')[1] ?? '';
  }

  /** Opens two more sessions, and returns their ids. */
  async function opened({ id, email, password }: Person): Promise<readonly number[]> {
    for (const _ of [1, 2]) await admin().post('/auth/sessions', { username: email, password });
    const sessions = admin.app().get(Database, { strict: false }).selectFrom('session').select('id');
    const rows = await sessions.where('accountId', '=', id).orderBy('id', 'desc').limit(2).execute();
    return rows.map((row) => row.id);
  }
});

describe('no secret is in a response, a header or the log while the database fails', () => {
  const { admin, sweep, named, newPerson } = bootWatched();

  it('when some or all queries fail', async () => {
    const user = await newPerson();
    await sweep.remember();
    const callers = [
      { name: 'a user', client: user.client },
      { name: 'an administrator', client: await admin.administrator() },
    ];
    // Of an account whose state is not cached, every response is a 401, and a feed that cannot read clears the cache.
    await admin.app().get(RevocationFeed, { strict: false }).stop();
    for (const { client } of callers) await client.get('/auth/profile');
    const statuses = await sweep.callWithoutStore(callers, { ...named(), username: user.email });
    expect([...statuses]).toEqual(expect.arrayContaining([500, 503]));
  });
});
