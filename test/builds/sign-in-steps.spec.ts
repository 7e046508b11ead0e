import { IdentityProvider, SoftAuthenticator } from '@app/accounts/testing';
import { startPostgres, temporaryDatabase } from '@app/persistence/testing';
import { administrator, beginTotp, Client, newEmail } from '@app/service/testing';
import { generateSync } from 'otplib/functional';
import { inject } from 'vitest';
import { endProcesses } from './processes';
import { type Program, startProgram } from './programs';

const workspace = inject('builds')[0]?.workspace ?? '';
const password = 'correct horse battery staple';
const origin = 'https://app.example.com';

const stores = {
  SQLite: () => temporaryDatabase(),
  PostgreSQL: async () => {
    const server = await startPostgres();
    return { url: server.url, remove: () => server.stop() };
  },
};

/** Steps of the longest way below. */
const longest = 5;

/** A way to sign in, which yields after each of its steps; `at` is the program that gets the next request. */
type Way = (at: () => Client) => AsyncGenerator<void, void>;

describe.each(Object.entries(stores))('sign-ins in several steps, on %s', (_, openStore) => {
  let store: Awaited<ReturnType<typeof openStore>>;
  let acme: IdentityProvider;
  let env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  let operator: Client;
  beforeAll(async () => {
    [store, acme] = await Promise.all([openStore(), IdentityProvider.start('acme')]);
    env = {
      DATABASE_URL: store.url,
      EMAIL_CODES: '5/1h',
      PASSKEY_ORIGINS: origin,
      PASSKEY_RP_ID: 'example.com',
      SIGN_UP_ADDRESS_LIMIT: 'off',
      SIGN_IN_ADDRESS_LIMIT: 'off',
      ...acme.env,
    };
    const { url } = await startProgram(workspace, 'admin', { ...env, ACCESS_TOKEN_TTL: '1h' });
    operator = await new Client(url).signIn(administrator.email, administrator.password);
  });
  afterAll(async () => {
    await endProcesses();
    await Promise.all([store.remove(), acme.stop()]);
  });

  /** The code of the mail to somebody, which the operators' program lists while no mail server is set. */
  async function codeFor(email: string): Promise<string> {
    const { items } = (await operator.get('/outbox?limit=100')).json;
    const mail = items.find((candidate: { readonly recipient: string }) => candidate.recipient === email);
    return / the code ([0-9]{6}),/.exec(mail?.text)?.[1] ?? '';
  }

  const ways: readonly Way[] = [
    async function* codesOfAnApplication(at) {
      const { credentials, token } = await signUp(at());
      const { secret, body } = await beginTotp(at().as(token));
      yield;
      const confirmed = await at().as(token).post('/auth/factors/totp/confirm', body);
      expect(confirmed.status).toBe(200);
      const [recoveryCode] = confirmed.json.recoveryCodes;
      yield;
      const begin = async (): Promise<string> =>
        (await at().post('/auth/sessions', credentials)).json.mfa_token;
      const complete = async (mfa_token: string, factor: string, code: string) =>
        (await at().post('/auth/sessions/complete', { mfa_token, factor, code })).status;
      const [first, second] = [await begin(), await begin()];
      yield;
      const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });
      expect(await complete(first, 'totp', code)).toBe(201);
      expect(await complete(second, 'recovery-code', recoveryCode)).toBe(201);
      yield;
      expect(await complete(first, 'recovery-code', confirmed.json.recoveryCodes[1])).toBe(401);
      expect(await complete(await begin(), 'totp', code)).toBe(401);
      expect(await complete(await begin(), 'recovery-code', recoveryCode)).toBe(401);
    },
    async function* codesByMail(at) {
      const { credentials } = await signUp(at());
      const { nonce } = (await at().post('/auth/email-codes', { username: credentials.username })).json;
      yield;
      const body = { nonce, code: await codeFor(credentials.username) };
      expect((await at().post('/auth/email-codes/complete', body)).status).toBe(201);
      yield;
      expect((await at().post('/auth/email-codes/complete', body)).status).toBe(401);
    },
    async function* passkeys(at) {
      const { token } = await signUp(at());
      // One that does not count: a signature that is sent again is refused for its challenge alone.
      const authenticator = new SoftAuthenticator(origin, false);
      const enrolment = (await at().as(token).post('/auth/factors/passkeys', {})).json.options;
      yield;
      const answer = { credential: authenticator.create(enrolment) };
      expect((await at().as(token).post('/auth/factors/passkeys/confirm', answer)).status).toBe(200);
      yield;
      const { options } = (await at().post('/auth/passkeys', {})).json;
      yield;
      const body = { credential: authenticator.get(options) };
      expect((await at().post('/auth/passkeys/complete', body)).status).toBe(201);
      yield;
      expect((await at().post('/auth/passkeys/complete', body)).status).toBe(401);
    },
    async function* identityProviders(at) {
      const subject = newEmail();
      acme.users.set(subject, { email: subject, email_verified: true });
      const { url, request } = (await at().post('/auth/providers/acme/authorize')).json;
      // Two codes of one authorization: the provider refuses none of them.
      const [first, second] = [await acme.signIn(url, subject), await acme.signIn(url, subject)];
      const complete = async (response: object) =>
        (await at().post('/auth/providers/acme/complete', { request, ...response })).status;
      yield;
      expect(await complete(first)).toBe(201);
      yield;
      expect(await complete(second)).toBe(401);
    },
  ];

  it('go on after the program was killed between them, and end once', async () => {
    let program: Program | undefined;
    const restart = async () => {
      await program?.stop('SIGKILL');
      program = await startProgram(workspace, 'api', env);
    };
    await restart();
    const at = () => new Client(program?.url ?? '');
    expect(await runSteps(ways, at, restart)).toBe(longest);
    await program?.stop();
  });

  it('go on in whichever worker gets the next request, and end once', async () => {
    const program = await startProgram(workspace, 'api', { ...env, WORKERS: '2' });
    // Each connection goes to one of the workers, so that some of several sign-ins begin in one and end in the other.
    const at = () => new Client(program.url, { connection: 'close' });
    for (let round = 0; round < 4; round += 1) expect(await runSteps(ways, at)).toBe(longest);
    await program.stop();
  });
});

/** Runs ways together, a step of each after the other. @returns the number of steps of the longest */
async function runSteps(
  ways: readonly Way[],
  at: () => Client,
  between = (): Promise<void> => Promise.resolve(),
): Promise<number> {
  let rest = ways.map((way) => way(at));
  for (let steps = 1; ; steps += 1) {
    const results = await Promise.all(rest.map((way) => way.next()));
    rest = rest.filter((_, index) => results[index]?.done === false);
    if (rest.length === 0) return steps;
    await between();
  }
}

async function signUp(api: Client) {
  const username = newEmail();
  await api.post('/users', { email: username, password });
  const { json } = await api.post('/auth/sessions', { username, password });
  const token: string = json.access_token;
  return { credentials: { username, password }, token };
}
