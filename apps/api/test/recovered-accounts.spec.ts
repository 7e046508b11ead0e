import { AdministratorReset, Enrolments, SignInFactors } from '@app/accounts';
import { IdentityProvider, SoftAuthenticator } from '@app/accounts/testing';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type Client, enrolTotp, newEmail, type Reply } from '@app/service/testing';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

const [ownersFirst, thiefs, ownersLast] = [
  'correct horse battery staple',
  'the password of a thief',
  'a phrase of the owner',
];
const origin = 'http://localhost:3000';

/** An account to which a thief is signed in. */
interface Taken {
  readonly id: number;
  /** The e-mail that the account has now. */
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** Tries to sign in to the account again; resolves to whether it opened a session of it. */
type Attempt = () => Promise<boolean>;

/** A program, and what its accounts lose. */
function recoveries(EMAIL_VERIFICATION: 'on' | 'off') {
  const env: Record<string, string> = {
    EMAIL_VERIFICATION,
    EMAIL_CODES: '50/1h',
    NEW_DEVICE_MAIL: 'on',
    SIGN_IN_ADDRESS_LIMIT: 'off',
    SIGN_UP_ADDRESS_LIMIT: 'off',
    OIDC_ACME_CREATE_ACCOUNTS: 'off',
  };
  let acme: IdentityProvider;
  beforeAll(async () => {
    acme = await IdentityProvider.start('acme');
    Object.assign(env, acme.env);
  });
  afterAll(() => acme.stop());
  const api = bootApi({ env });
  const db = () => api.app().get(Database, { strict: false });

  async function signUp(email: string, password: string): Promise<Taken> {
    const { headers } = await api().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { id, email, password, client: await api().signIn(email, password) };
  }
  const verify = ({ id }: Taken) =>
    db().updateTable('account').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute();
  const mailsTo = async (email: string) =>
    (await api.app().get(Outbox, { strict: false }).list({ limit: 100, offset: 0 })).filter(
      ({ recipient }) => recipient === email,
    );
  /** The token of the newest mail with a link. */
  const tokenTo = async (email: string) => {
    const link = (await mailsTo(email)).find(({ text }) => text?.link !== undefined)?.text?.link;
    return new URL(link ?? '').hash.slice('#token='.length);
  };
  const openSession = (username: string, password: string) =>
    api().post('/auth/sessions', { username, password });
  const isAccepted = ({ status }: Reply) => status < 300;

  /** Requests a code by mail; returns the body that completes the sign-in. */
  async function requestCode(username: string) {
    const { nonce } = (await api().post('/auth/email-codes', { username })).json;
    const code = / the code ([0-9]{6}),/.exec((await mailsTo(username))[0]?.text?.text ?? '')?.[1];
    return { nonce, code };
  }

  /** A factor of the program without an entry here fails the tests below. */
  const enrol: Readonly<Record<string, (taken: Taken) => Promise<Attempt | undefined>>> = {
    password: async (taken) => async () => isAccepted(await openSession(taken.email, taken.password)),
    'email-code': async (taken) => {
      const body = await requestCode(taken.email);
      return async () => isAccepted(await api().post('/auth/email-codes/complete', body));
    },
    totp: async ({ client }) => {
      await enrolTotp(client);
      return undefined;
    },
    'recovery-code': async ({ client }) => {
      expect((await client.post('/auth/factors/recovery-codes')).status).toBe(201);
      return undefined;
    },
    passkey: async (taken) => {
      const authenticator = new SoftAuthenticator(origin);
      const { options } = (await taken.client.post('/auth/factors/passkeys', {})).json;
      const credential = authenticator.create(options);
      expect((await taken.client.post('/auth/factors/passkeys/confirm', { credential })).status).toBe(200);
      return async () => {
        const begun = (await api().post('/auth/passkeys', {})).json.options;
        const completed = { credential: authenticator.get(begun) };
        return isAccepted(await api().post('/auth/passkeys/complete', completed));
      };
    },
    'identity-provider': async (taken) => {
      const subject = `thief-${taken.id}`;
      acme.users.set(subject, { email: newEmail('thief'), email_verified: true });
      const linked = await acme.responseFor(taken.client, subject, 'link');
      expect((await taken.client.post('/auth/providers/acme/link/complete', linked)).status).toBe(204);
      return async () => {
        const body = await acme.responseFor(api(), subject);
        return isAccepted(await api().post('/auth/providers/acme/complete', body));
      };
    },
  };

  /** Enrols every factor of the program and makes an API key; each of them works afterwards. */
  async function enrolEverything(taken: Taken): Promise<Record<string, Attempt>> {
    const attempts: Record<string, Attempt> = {};
    const kinds = api
      .app()
      .get(SignInFactors, { strict: false })
      .all.map(({ kind }) => kind);
    // A second factor ends the codes from before.
    for (const kind of [...kinds.filter((candidate) => candidate !== 'email-code'), 'email-code']) {
      const how = enrol[kind];
      if (how === undefined) throw new Error(`add how the factor ${kind} is enrolled to \`enrol\``);
      const attempt = await how(taken);
      if (attempt !== undefined) attempts[kind] = attempt;
    }
    const { apiKey } = (await taken.client.post('/auth/api-keys', { name: 'robot' })).json;
    attempts['access token'] = async () => isAccepted(await taken.client.get('/auth/profile'));
    if (apiKey !== undefined)
      attempts['API key'] = async () => isAccepted(await api().with({ 'x-api-key': apiKey }).get('/items'));
    const { 'email-code': _usedOnce, ...repeatable } = attempts;
    expect(await successful(repeatable)).toEqual(Object.keys(repeatable));
    return attempts;
  }
  async function successful(attempts: Record<string, Attempt>): Promise<string[]> {
    const kinds: string[] = [];
    for (const [kind, attempt] of Object.entries(attempts)) if (await attempt()) kinds.push(kind);
    return kinds;
  }
  /** Lists the factors that the owner is asked for after the password, or else those that are enrolled. */
  async function enrolledNow(email: string, password: string) {
    const { status, json } = await openSession(email, password);
    if (status !== 201) return json.factors;
    const { factors } = (await api().as(json.access_token).get('/auth/factors')).json;
    return factors.map(({ factor }: { factor: string }) => factor);
  }

  async function resetByMail(username: string) {
    await api().post('/auth/password-resets', { username });
    const body = { token: await tokenTo(username), password: ownersLast };
    expect((await api().post('/auth/password-resets/complete', body)).status).toBe(204);
  }
  /** Signs in from where the account signed in before; returns whether its owner is notified, as of any new device. */
  async function isNewDevice(email: string, password: string): Promise<boolean> {
    const countMails = async () => (await mailsTo(email)).filter(({ kind }) => kind === 'new-device').length;
    const before = await countMails();
    await openSession(email, password);
    return (await countMails()) > before;
  }
  return {
    isNewDevice,
    api,
    db,
    signUp,
    verify,
    tokenTo,
    openSession,
    requestCode,
    mailsTo,
    enrol,
    enrolEverything,
    successful,
    enrolledNow,
    resetByMail,
  };
}

describe.each(['on', 'off'] as const)(
  'an account that its owner recovers (D51), with EMAIL_VERIFICATION=%s',
  (verification) => {
    const {
      api,
      db,
      signUp,
      verify,
      openSession,
      enrolEverything,
      successful,
      enrolledNow,
      resetByMail,
      isNewDevice,
    } = recoveries(verification);
    const own = ['password', 'email-code'];

    it('by the first reset of an e-mail that nobody had proven leaves nothing to whoever signed up with it', async () => {
      const thief = await signUp(newEmail(), thiefs);
      const attempts = await enrolEverything(thief);
      await resetByMail(thief.email);
      expect(await successful(attempts)).toEqual([]);
      expect(await enrolledNow(thief.email, ownersLast)).toEqual(own);
    });

    it('by a reset of a proven e-mail keeps second factors, and nothing else', async () => {
      const owner = await signUp(newEmail(), ownersFirst);
      await verify(owner);
      const attempts = await enrolEverything(owner);
      await resetByMail(owner.email);
      expect(await successful(attempts)).toEqual(['passkey']);
      expect(await enrolledNow(owner.email, ownersLast)).toEqual(['totp', 'passkey', 'recovery-code']);
    });

    const byOperators: Record<string, (taken: Taken) => Promise<unknown>> = {
      'PATCH /users/:id': async ({ id, email }) => {
        const { status } = await (
          await api.administrator()
        ).patch(`/users/${id}`, { email, password: ownersLast });
        if (status !== 200) throw new Error(`the administrator got ${status}`);
      },
      'admin:reset': ({ email }) =>
        new AdministratorReset(db(), new Enrolments(program.factors)).reset(email, ownersLast),
    };
    it.each(Object.entries(byOperators))(
      'by %s of an operator leaves nothing to a thief',
      async (_, reset) => {
        const thief = await signUp(newEmail(), thiefs);
        await verify(thief);
        const attempts = await enrolEverything(thief);
        await reset(thief);
        await vi.waitFor(async () => expect(await successful(attempts)).toEqual([]));
        expect((await openSession(thief.email, ownersLast)).status).toBe(201);
      },
    );

    it.each(Object.entries({ ...byOperators, 'a reset': ({ email }: Taken) => resetByMail(email) }))(
      'by %s knows no device of a thief any more',
      async (_, recover) => {
        const thief = await signUp(newEmail(), thiefs);
        await verify(thief);
        expect(await isNewDevice(thief.email, thiefs)).toBe(false);
        await recover(thief);
        expect(await isNewDevice(thief.email, ownersLast)).toBe(true);
      },
    );

    it('by an operator who says keepFactors has its factors and keys, but no session', async () => {
      const owner = await signUp(newEmail(), ownersFirst);
      await verify(owner);
      const attempts = await enrolEverything(owner);
      const operator = await api.administrator();
      const body = { email: owner.email, password: ownersLast, keepFactors: true };
      expect((await operator.patch(`/users/${owner.id}`, body)).status).toBe(200);
      expect(await successful(attempts)).toEqual(['passkey', 'identity-provider', 'API key']);
    });

    it('has a forced password change lifted by a sign-in with the password alone', async () => {
      const owner = await signUp(newEmail(), ownersFirst);
      const authenticator = new SoftAuthenticator(origin);
      const { options } = (await owner.client.post('/auth/factors/passkeys', {})).json;
      await owner.client.post('/auth/factors/passkeys/confirm', {
        credential: authenticator.create(options),
      });
      const operator = await api.administrator();
      const body = { email: owner.email, password: ownersLast, keepFactors: true };
      await operator.patch(`/users/${owner.id}`, body);
      const begun = (await api().post('/auth/passkeys', {})).json.options;
      const credential = authenticator.get(begun);
      const { json } = await api().post('/auth/passkeys/complete', { credential });
      const change = { password: 'another phrase of the owner' };
      const refused = await api().as(json.access_token).post('/auth/password-changes', change);
      expect([refused.status, refused.json.message]).toEqual([
        403,
        'sign in with the password that must be changed, or reset it by mail',
      ]);
      const { mfa_token } = (await openSession(owner.email, ownersLast)).json;
      const second = { mfa_token, factor: 'passkey' };
      const challenge = (await api().post('/auth/passkeys', { mfa_token })).json.options;
      const completed = await api().post('/auth/sessions/complete', {
        ...second,
        credential: authenticator.get(challenge),
      });
      const withPassword = api().as(completed.json.access_token);
      expect((await withPassword.post('/auth/password-changes', change)).status).toBe(204);
    });
  },
);

describe('an account whose owner undoes a change of its e-mail (D51)', () => {
  const { api, signUp, verify, tokenTo, enrol, enrolEverything, successful, enrolledNow } = recoveries('on');

  it('loses what was enrolled since, and keeps older second factors', async () => {
    const owner = await signUp(newEmail(), ownersFirst);
    await verify(owner);
    await enrol['passkey']?.(owner);
    const email = newEmail('thief');
    await owner.client.patch(`/users/${owner.id}`, { email });
    const confirmation = { token: await tokenTo(email) };
    expect((await owner.client.post('/auth/email-verifications/complete', confirmation)).status).toBe(204);
    const undoToken = await tokenTo(owner.email);
    const attempts = await enrolEverything({ ...owner, email });
    const undone = await api().post('/auth/email-changes/undo', {
      token: undoToken,
      password: ownersLast,
    });
    expect(undone.status).toBe(204);
    expect(await successful(attempts)).toEqual([]);
    // The first passkey is the owner's.
    expect(await enrolledNow(owner.email, ownersLast)).toEqual(['passkey']);
  });
});

describe('an account whose owner undoes a change of an e-mail that nobody had proven (D51)', () => {
  const { api, signUp, tokenTo, enrol, successful } = recoveries('off');

  it('leaves nothing to whoever signed up with it', async () => {
    const thief = await signUp(newEmail(), thiefs);
    const passkey = await enrol['passkey']?.(thief);
    await thief.client.patch(`/users/${thief.id}`, { email: newEmail('thief') });
    const undone = { token: await tokenTo(thief.email), password: ownersLast };
    expect((await api().post('/auth/email-changes/undo', undone)).status).toBe(204);
    expect(passkey && (await successful({ passkey }))).toEqual([]);
  });
});

describe('an account whose owner signs in by a first code in a mail (D51)', () => {
  const { api, signUp, requestCode, mailsTo, enrolEverything, successful } = recoveries('off');

  it('leaves nothing to whoever signed up with the e-mail', async () => {
    const thief = await signUp(newEmail(), thiefs);
    const attempts = await enrolEverything(thief);
    const body = await requestCode(thief.email);
    const { status, json } = await api().post('/auth/email-codes/complete', body);
    expect([status, (await api().as(json.access_token).get('/auth/profile')).json.userId]).toEqual([
      201,
      thief.id,
    ]);
    expect(await successful(attempts)).toEqual([]);
    const { factors } = (await api().as(json.access_token).get('/auth/factors')).json;
    expect(factors.map(({ factor }: { factor: string }) => factor)).toEqual(['email-code']);
    expect((await mailsTo(thief.email)).map(({ kind }) => kind)).toContain('first-proof');
    // The second code ends nothing.
    const again = await api().post('/auth/email-codes/complete', await requestCode(thief.email));
    expect(again.status).toBe(201);
    expect((await api().as(json.access_token).get('/auth/profile')).status).toBe(200);
  });
});
