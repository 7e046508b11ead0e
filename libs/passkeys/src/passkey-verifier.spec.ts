import { AccountsStore, Challenges } from '@app/accounts';
import { SoftAuthenticator, useAccountsDatabase } from '@app/accounts/testing';
import { passkeysSchema } from '../testing/passkeys-schema';
import { PasskeyVerifier } from './passkey-verifier';
import { passkeyHost } from './relying-party';
import { type NewPasskey, PasskeysStore } from './passkeys.store';

const origin = 'https://example.com';

describe('the challenges of passkeys', () => {
  const current = useAccountsDatabase(passkeysSchema);
  const store = () => new PasskeysStore(current.db);
  const verifierOf = (audience: string) =>
    new PasskeyVerifier(store(), new Challenges(current.db, 'passkeys', audience), {
      id: 'example.com',
      origins: [origin],
    });

  async function enrol(authenticator: SoftAuthenticator): Promise<number> {
    const accounts = new AccountsStore(current.db);
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await accounts.insert({ email, passwordHash: 'none' });
    const options = await verifierOf('api').enrolmentOptions({ id, email }, []);
    const verified = await verifierOf('api').verifyEnrolment(authenticator.create(options), id);
    if (verified === undefined) throw new Error('not verified');
    await store().insert({ ...verified, name: null, createdAt: new Date() }, current.db);
    return id;
  }

  it('are those of one program, whatever program is asked', async () => {
    const authenticator = new SoftAuthenticator(origin);
    const accountId = await enrol(authenticator);
    const foreign = authenticator.get(await verifierOf('admin').assertionOptions({ for: 'sign-in' }));
    expect(await verifierOf('api').verifyAssertion(foreign, { for: 'sign-in' })).toBeUndefined();
    const { passkey } = (await verifierOf('admin').verifyAssertion(foreign, { for: 'sign-in' })) ?? {};
    expect(passkey?.accountId).toBe(accountId);
  });
});

describe('what an authenticator sends', () => {
  const current = useAccountsDatabase(passkeysSchema);
  const verifier = () =>
    new PasskeyVerifier(new PasskeysStore(current.db), new Challenges(current.db, 'passkeys', 'api'), {
      id: 'example.com',
      origins: [origin],
    });

  const hostile: readonly unknown[] = [
    undefined,
    null,
    true,
    0,
    -1,
    '',
    'x',
    '{}',
    '\u0000',
    'x'.repeat(4000),
    [],
    [null],
    [5],
    ['a', ['internal']],
    {},
    { length: 1 },
    { toString: 1 },
  ];
  const members = ['id', 'rawId', 'type', 'response', 'authenticatorAttachment', 'clientExtensionResults'];
  const ofResponses = {
    enrolment: ['clientDataJSON', 'attestationObject', 'transports', 'publicKey', 'authenticatorData'],
    assertion: ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'],
  };
  const clientData = ['type', 'challenge', 'origin', 'crossOrigin', 'topOrigin', 'tokenBinding'];

  type Sent = ReturnType<SoftAuthenticator['create'] | SoftAuthenticator['get']>;
  /** Each member with each value. */
  function* variants(kind: keyof typeof ofResponses, make: () => Promise<Sent>) {
    for (const value of hostile) {
      for (const name of members) yield async () => ({ ...(await make()), [name]: value });
      for (const name of ofResponses[kind])
        yield async () => {
          const sent = await make();
          return { ...sent, response: { ...sent.response, [name]: value } };
        };
      for (const name of clientData) yield async () => withClientData(await make(), { [name]: value });
      yield async () => withClientData(await make(), value);
    }
  }

  /** A credential with different client data, which nobody has signed. */
  function withClientData(sent: Sent, change: unknown): Sent {
    const text = Buffer.from(sent.response.clientDataJSON, 'base64url').toString();
    const isChange = typeof change === 'object' && change !== null && !Array.isArray(change);
    const changed = JSON.stringify(isChange ? { ...JSON.parse(text), ...change } : change) ?? '';
    const clientDataJSON = Buffer.from(changed).toString('base64url');
    return { ...sent, response: { ...sent.response, clientDataJSON } } as Sent;
  }

  const keep = (verified: Omit<NewPasskey, 'name' | 'createdAt'>) =>
    new PasskeysStore(current.db).insert({ ...verified, name: null, createdAt: new Date() }, current.db);

  async function account(): Promise<{ id: number; email: string }> {
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await new AccountsStore(current.db).insert({ email, passwordHash: 'none' });
    return { id, email };
  }

  it('enrols a passkey or none, and is no error', async () => {
    const owner = await account();
    const make = async () =>
      new SoftAuthenticator(origin).create(await verifier().enrolmentOptions(owner, []));
    for (const variant of variants('enrolment', make)) {
      const verified = await verifier().verifyEnrolment(await variant(), owner.id);
      if (verified !== undefined) await keep(verified);
    }
    expect((await new PasskeysStore(current.db).listOf(owner.id)).length).toBeGreaterThan(0);
  });

  it('signs in or not, and is no error', async () => {
    const [owner, authenticator] = [await account(), new SoftAuthenticator(origin)];
    const credential = authenticator.create(await verifier().enrolmentOptions(owner, []));
    const verified = await verifier().verifyEnrolment(credential, owner.id);
    if (verified === undefined) throw new Error('not verified');
    await keep(verified);
    const make = async () => authenticator.get(await verifier().assertionOptions({ for: 'sign-in' }));
    for (const variant of variants('assertion', make))
      await verifier().verifyAssertion(await variant(), { for: 'sign-in' });
    expect(await verifier().verifyAssertion(await make(), { for: 'sign-in' })).toBeDefined();
  });

  it('enrols and signs in nobody from a frame of another site', async () => {
    const owner = await account();
    const options = () => verifier().enrolmentOptions(owner, []);
    const inFrame = new SoftAuthenticator(origin).create(await options(), { crossOrigin: true });
    expect(await verifier().verifyEnrolment(inFrame, owner.id)).toBeUndefined();
    const authenticator = new SoftAuthenticator(origin);
    const verified = await verifier().verifyEnrolment(authenticator.create(await options()), owner.id);
    if (verified === undefined) throw new Error('not verified');
    await keep(verified);
    const asked = await verifier().assertionOptions({ for: 'sign-in' });
    const signed = authenticator.get(asked, { crossOrigin: true });
    expect(await verifier().verifyAssertion(signed, { for: 'sign-in' })).toBeUndefined();
  });
});

describe('the relying party', () => {
  it('is the host of the web application', () => {
    expect(passkeyHost({}, 'https://app.example.com/start')).toEqual({
      id: 'app.example.com',
      origins: ['https://app.example.com'],
    });
  });

  it('has no origin elsewhere', () => {
    const PASSKEY_ORIGINS = ['https://app.example.com', 'https://notexample.com'];
    expect(() => passkeyHost({ PASSKEY_ORIGINS, PASSKEY_RP_ID: 'example.com' }, origin)).toThrow(
      'notexample.com does not belong to PASSKEY_RP_ID (example.com)',
    );
  });
});
