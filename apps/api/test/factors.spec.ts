import { accounts, AdministratorReset, Enrolments, SignInFactors } from '@app/accounts';
import { IdentityProvider, SoftAuthenticator } from '@app/accounts/testing';
import { emailCodes } from '@app/email-codes';
import { Outbox } from '@app/mail';
import { oidc } from '@app/oidc';
import { passkeys } from '@app/passkeys';
import { Database } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { secondFactors } from '@app/second-factors';
import { defineProgram, describeRoutes, schemasOf } from '@app/service';
import { bootProgram, type Client, enrolTotp, newEmail } from '@app/service/testing';
import { program as api } from '../src/api.program';
import { loyalty } from '../testing/loyalty.plugin';

const password = 'correct horse battery staple';
const plugins = [emailCodes(), secondFactors(), passkeys(), oidc(), loyalty] as const;
const programOf = (name: string) => defineProgram({ name, plugins: [accounts(), ...plugins] });
const program = programOf('shop');
const declared = plugins.flatMap(({ factors = [] }) => factors);
const pluginOf = (kind: string) =>
  plugins.find(({ factors }) => factors?.some((factor) => factor.kind === kind));

it('the factors of these tests include each factor of api', () => {
  const kinds = declared.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining((api.factors ?? []).map(({ kind }) => kind)));
});

describe('a program without plugins of factors', () => {
  const bare = defineProgram({ name: 'bare', plugins: [accounts()] });
  const booted = bootProgram(bare);

  it.each(plugins)(
    'has no setting, table, route and factor of $name',
    async ({ settings = {}, tables = [], controllers = [], factors = [] }) => {
      expect(Object.keys(settings).filter((name) => name in bare.declarations)).toEqual([]);
      const own = new Set(schemasOf(bare).tables.map(({ name }) => name));
      expect(tables.filter(({ name }) => own.has(name))).toEqual([]);
      const routes = describeRoutes(booted.app()).filter(({ controller }) =>
        controllers.some((type) => type === controller),
      );
      expect(routes).toEqual([]);
      const { all } = booted.app().get(SignInFactors, { strict: false });
      expect(factors.filter((factor) => all.some(({ kind }) => kind === factor.kind))).toEqual([]);
    },
  );
});

/** An account, and a client that is signed in to it. */
interface Owner {
  readonly id: number;
  readonly email: string;
  readonly client: Client;
}

/** Everything that must hold for each factor of a program, whichever plugin declares it (D51). */
describe('the factors of a program', () => {
  const env: Record<string, string> = {
    EMAIL_CODES: '50/1h',
    SIGN_IN_ADDRESS_LIMIT: 'off',
    SIGN_UP_ADDRESS_LIMIT: 'off',
  };
  let database: TemporaryDatabase;
  let acme: IdentityProvider;
  beforeAll(async () => {
    [database, acme] = await Promise.all([temporaryDatabase(), IdentityProvider.start('acme')]);
    Object.assign(env, acme.env, { DATABASE_URL: database.url });
  });
  afterAll(() => Promise.all([database.remove(), acme.stop()]));
  const shop = bootProgram({ ...program, env });
  const db = () => shop.app().get(Database, { strict: false });
  const neighbour = bootProgram({ ...programOf('neighbour'), env });

  async function newOwner(): Promise<Owner> {
    const email = newEmail();
    const { headers } = await shop().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { id, email, client: await shop().signIn(email, password) };
  }
  const enrolledOf = async ({ id }: Owner, kind: string) => {
    const all = await shop.app().get(SignInFactors, { strict: false }).list(id);
    return all.filter((factor) => factor.kind === kind);
  };
  async function enrolPasskey({ client }: Owner): Promise<SoftAuthenticator | undefined> {
    const { json } = await client.post('/auth/factors/passkeys', {});
    if (json.options === undefined) return undefined;
    const authenticator = new SoftAuthenticator('http://localhost:3000');
    const body = { credential: authenticator.create(json.options) };
    const { status } = await client.post('/auth/factors/passkeys/confirm', body);
    return status === 200 ? authenticator : undefined;
  }

  /** Functions that enrol a factor once more, by its kind. They resolve to whether the program accepted it. */
  const ways: Readonly<Record<string, (owner: Owner) => Promise<boolean>>> = {
    totp: async ({ client }) => {
      if ((await client.post('/auth/factors/totp')).status !== 201) return false;
      return (await enrolTotp(client)).recoveryCodes !== undefined;
    },
    'recovery-code': async (owner) => {
      if ((await enrolledOf(owner, 'totp')).length === 0) await enrolTotp(owner.client);
      return (await owner.client.post('/auth/factors/recovery-codes')).status === 201;
    },
    passkey: async (owner) => (await enrolPasskey(owner)) !== undefined,
    'email-code': async () => true,
    'identity-provider': async ({ client }) => {
      const body = await acme.responseFor(client, newEmail(), 'link');
      return (await client.post('/auth/providers/acme/link/complete', body)).status === 204;
    },
    card: async ({ id }) => {
      await db().updateTable('account').set({ firstName: 'Ada' }).where('id', '=', id).execute();
      return true;
    },
  };
  const enrol = (kind: string, owner: Owner) => {
    const way = ways[kind];
    if (way === undefined) throw new Error(`add how the factor ${kind} is enrolled to \`ways\``);
    return way(owner);
  };

  /** Functions that answer a challenge from the shop at a program, by the factor's kind. They resolve to the status. */
  const responses: Readonly<Record<string, () => Promise<(at: Client) => Promise<number>>>> = {
    'email-code': async () => {
      const { email: username } = await newOwner();
      const { nonce } = (await shop().post('/auth/email-codes', { username })).json;
      const [mail] = await shop.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
      const body = { nonce, code: mail?.text?.link?.split('#token=')[1] };
      return async (at) => (await at.post('/auth/email-codes/complete', body)).status;
    },
    passkey: async () => {
      const authenticator = await enrolPasskey(await newOwner());
      const { options } = (await shop().post('/auth/passkeys', {})).json;
      const body = { credential: authenticator?.get(options) };
      return async (at) => (await at.post('/auth/passkeys/complete', body)).status;
    },
    'identity-provider': async () => {
      const body = await acme.responseFor(shop());
      return async (at) => (await at.post('/auth/providers/acme/complete', body)).status;
    },
  };

  it.each(declared)('end with a recovery by an operator, or say why not: $kind', async ({ kind, access }) => {
    const owner = await newOwner();
    expect(await enrol(kind, owner)).toBe(true);
    expect(await enrolledOf(owner, kind)).not.toEqual([]);
    await new AdministratorReset(db(), new Enrolments(program.factors)).reset(owner.email, password);
    expect((await enrolledOf(owner, kind)).length > 0).toBe('nothingEnrolled' in access);
  });

  it.each(declared)(
    'are out of reach of callers with scopes, but for the routes of their declaration: $kind',
    ({ kind, scopedCallers }) => {
      const open = describeRoutes(shop.app())
        .filter(({ controller }) => pluginOf(kind)?.controllers?.some((type) => type === controller))
        .filter(({ callers }) => !callers.isPublic)
        .filter(({ callers }) => callers.facets?.every(({ name }) => name !== 'needsDirectSignIn') ?? true);
      const routes = open.map(({ method, path }) => `${method} ${path}`);
      expect(routes.toSorted()).toEqual(scopedCallers.toSorted());
    },
  );

  it.each(declared.filter(({ limit }) => limit === 'failed-sign-ins'))(
    'are guessed no more often than a password: $kind',
    async ({ kind }) => {
      const owner = await newOwner();
      await enrol(kind, owner);
      const { json } = await shop().post('/auth/sessions', { username: owner.email, password });
      const wrong = { mfa_token: json.mfa_token, factor: kind, code: '000000' };
      const statuses: number[] = [];
      for (let guess = 0; guess <= 10; guess += 1)
        statuses.push((await shop().post('/auth/sessions/complete', wrong)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    },
  );

  it.each(declared.filter(({ challenges }) => challenges === 'program'))(
    'have challenges of one program: $kind',
    async ({ kind }) => {
      const makeResponse = responses[kind];
      if (makeResponse === undefined)
        throw new Error(`add how ${kind} responds to a challenge to \`responses\``);
      const respond = await makeResponse();
      expect([await respond(neighbour()), await respond(shop())]).toEqual([401, 201]);
    },
  );

  it.each(declared)('have no more rows of an account than they say: $kind', async ({ kind, rows }) => {
    if ('nothingStored' in rows) return;
    // Accounts store the identities, which trusted issuers use too.
    expect(pluginOf(kind)?.tables === undefined).toBe(rows.ofEach === 'identity provider');
    const owner = await newOwner();
    for (let count = 0; count <= rows.perAccount && (await enrol(kind, owner)); count += 1);
    const enrolled = await enrolledOf(owner, kind);
    expect(enrolled[0]?.remaining ?? enrolled.length).toBe(rows.perAccount);
  });
});
