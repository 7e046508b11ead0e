import { IdentityProvider } from '@app/accounts/testing';
import { Outbox } from '@app/mail';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { createProgram, readSettings } from '@app/service';
import { administrator, Client, enrolTotp, newEmail } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { program as adminProgram } from '../apps/admin/src/admin.program';
import { program as apiProgram } from '../apps/api/src/api.program';

const { email: username, password } = administrator;
/** The statuses by place; 200 for every place that is absent here. */
const statusOf: Readonly<Record<string, number>> = {
  reset: 204,
  confirmation: 204,
  undo: 204,
  'second factor': 201,
  'code in a mail': 201,
  authorization: 201,
};
const applications = ['api', 'admin'] as const;
type Application = (typeof applications)[number];

/** The response to a request with a token. */
type Place = (token: string) => Promise<number>;

describe('a token', () => {
  let database: TemporaryDatabase;
  let acme: IdentityProvider;
  const running = new Map<Application, NestFastifyApplication>();
  const clients = new Map<Application, Client>();
  const client = (application: Application) => clients.get(application) ?? new Client('');

  beforeAll(async () => {
    database = await temporaryDatabase();
    acme = await IdentityProvider.start('acme');
    const settings = readSettings(apiProgram.declarations, {
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret of tests, long enough to sign with',
      ADMIN_EMAIL: username,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'silent',
      EMAIL_VERIFICATION: 'on',
      EMAIL_CODES: '100/1h',
      MAX_DELAY: 'off',
      ...acme.env,
    });
    for (const { name, schemas, tables, module } of [apiProgram, adminProgram]) {
      const app = await createProgram({ name, schemas, tables, module: module(settings), settings });
      await app.listen(0, '127.0.0.1');
      running.set(name as Application, app);
      clients.set(name as Application, new Client(await app.getUrl()));
    }
  });
  afterAll(async () => {
    for (const app of running.values()) await app.close();
    await acme.stop();
    await database.remove();
  });

  /** The e-mail before the change. */
  let holderEmail = '';

  /** The tokens for an account with a second factor, by application. */
  let recoveryCodes: readonly string[] = [];

  /** The mailed codes, by the nonces that complete them. */
  const codes = new Map<string, string>();

  /** The provider's redirect parameters, by the requests that complete the sign-in. */
  const redirects = new Map<string, object>();

  /** The places, each with its status for a valid token that belongs elsewhere. */
  const places: Record<string, { readonly refusal: number; readonly send: Place }> = {};
  for (const application of applications) {
    const post = async (path: string, body: object) => (await client(application).post(path, body)).status;
    places[`bearer of ${application}`] = {
      refusal: 401,
      send: async (token) => (await client(application).as(token).get('/auth/profile')).status,
    };
    places[`refresh of ${application}`] = {
      refusal: 401,
      send: (token) => post('/auth/refresh', { refresh_token: token }),
    };
    places[`second factor of ${application}`] = {
      refusal: 401,
      send: (token) =>
        post('/auth/sessions/complete', {
          mfa_token: token,
          factor: 'recovery-code',
          code: recoveryCodes[applications.indexOf(application)],
        }),
    };
    places[`code in a mail of ${application}`] = {
      refusal: 401,
      send: (nonce) =>
        post('/auth/email-codes/complete', {
          nonce: nonce.slice(0, 100),
          code: codes.get(nonce) ?? '000000',
        }),
    };
    places[`authorization of ${application}`] = {
      refusal: 401,
      send: (request) =>
        post('/auth/providers/acme/complete', {
          request: request.slice(0, 100),
          ...(redirects.get(request) ?? { code: 'a code', state: 'a state' }),
        }),
    };
    places[`reset at ${application}`] = {
      refusal: 400,
      send: (token) => post('/auth/password-resets/complete', { token, password: 'another phrase' }),
    };
    places[`confirmation at ${application}`] = {
      refusal: 400,
      send: async (token) => {
        const holder = await client(application).signIn(holderEmail, password);
        return (await holder.post('/auth/email-verifications/complete', { token })).status;
      },
    };
    places[`undo at ${application}`] = {
      refusal: 400,
      send: (token) => post('/auth/email-changes/undo', { token, password: 'another phrase' }),
    };
  }
  places['key of api'] = {
    refusal: 401,
    send: async (key) =>
      (await client('api').with({ 'x-api-key': key }).get('/auth/api-keys/current')).status,
  };

  /** Every kind, each with the places that accept it. */
  async function issueAll(): Promise<
    readonly { kind: string; token: string; accepted: readonly string[] }[]
  > {
    const issued = [];
    for (const application of applications) {
      const { json } = await client(application).post('/auth/sessions', { username, password });
      const { access_token, refresh_token } = json;
      issued.push({ kind: 'access', token: access_token, accepted: [`bearer of ${application}`] });
      issued.push({ kind: 'refresh', token: refresh_token, accepted: [`refresh of ${application}`] });
    }
    const api = client('api').as(issued[0]?.token ?? '');
    const { apiKey } = (await api.post('/auth/api-keys', { name: 'a key' })).json;
    issued.push({ kind: 'key', token: apiKey, accepted: ['key of api'] });
    await client('api').post('/auth/password-resets', { username });
    issued.push({ kind: 'reset', token: await newestToken(), accepted: ['reset at api'] });
    return [
      ...(await issueEmailTokens()),
      ...(await issuePending()),
      ...(await issueCodes()),
      ...(await issueAuthorizations()),
      ...issued,
    ];
  }

  async function issueCodes() {
    const issued = [];
    for (const application of applications) {
      const { nonce } = (await client(application).post('/auth/email-codes', { username })).json;
      codes.set(nonce, await newestToken());
      issued.push({
        kind: 'code in a mail',
        token: String(nonce),
        accepted: [`code in a mail of ${application}`],
      });
    }
    return issued;
  }

  async function issueAuthorizations() {
    const issued = [];
    for (const application of applications) {
      const { request, ...redirect } = await acme.responseFor(client(application));
      redirects.set(request, redirect);
      issued.push({ kind: 'authorization', token: request, accepted: [`authorization of ${application}`] });
    }
    return issued;
  }

  /** The pending sign-ins of a second account. */
  async function issuePending() {
    const body = { username: newEmail(), password };
    await client('api').post('/users', { email: body.username, password });
    ({ recoveryCodes } = await enrolTotp(await client('api').signIn(body.username, password)));
    const issued = [];
    for (const application of applications) {
      const { json } = await client(application).post('/auth/sessions', body);
      const accepted = [`second factor of ${application}`];
      issued.push({ kind: 'second factor', token: json.mfa_token, accepted });
    }
    return issued;
  }

  /** Two e-mail changes on a second account: a change to undo, and a change to confirm. */
  async function issueEmailTokens() {
    const [email, second, third] = [newEmail(), newEmail(), newEmail()];
    const { headers } = await client('api').post('/users', { email, password });
    const path = headers.get('location') ?? '';
    const user = await client('api').signIn(email, password);
    const complete = async () =>
      user.post('/auth/email-verifications/complete', { token: await newestToken() });
    await complete();
    await user.patch(path, { email: second });
    await complete();
    const undo = await newestToken();
    await user.patch(path, { email: third });
    holderEmail = second;
    return [
      {
        kind: 'confirmation',
        token: await newestToken(),
        accepted: ['confirmation at api'],
      },
      { kind: 'undo', token: undo, accepted: ['undo at api'] },
    ];
  }

  async function newestToken(): Promise<string> {
    const [mail] =
      (await running.get('api')?.get(Outbox, { strict: false }).list({ limit: 1, offset: 0 })) ?? [];
    return mail?.text?.link?.split('#token=')[1] ?? '';
  }

  it(
    'of each kind is rejected in every place of another, and accepted in its own afterwards',
    { timeout: 120_000 },
    async () => {
      const issued = await issueAll();
      for (const { kind, token, accepted } of issued) {
        const others = Object.entries(places).filter(([place]) => !accepted.includes(place));
        for (const [place, { refusal, send }] of others)
          expect([kind, place, await send(token)]).toEqual([kind, place, refusal]);
      }
      for (const { kind, token, accepted } of issued) {
        const status = await places[accepted[0] ?? '']?.send(token);
        expect([kind, status]).toEqual([kind, statusOf[kind] ?? 200]);
      }
    },
  );
});
