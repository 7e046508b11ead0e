import { useAccountsDatabase } from '../../../testing/accounts-database';
import { SoftAuthenticator } from '../../../testing/soft-authenticator';
import { AccountsStore } from '../../account/accounts.store';
import { Challenges } from '../../factors/challenges';
import { PasskeyVerifier } from './passkey-verifier';
import { passkeyHost } from './relying-party';
import { PasskeysStore } from './passkeys.store';

const origin = 'https://example.com';

describe('the challenges of passkeys', () => {
  const current = useAccountsDatabase();
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
