import { AccountsStore, SignInFactors } from '@app/accounts';
import { lookupsIn, useAccountsDatabase } from '@app/accounts/testing';
import { QueryRecord } from '@app/persistence/testing';
import { passkeysSchema } from '../testing/passkeys-schema';
import { PasskeyVerifier } from './passkey-verifier';
import { PasskeyFactor } from './passkey.factor';
import { PasskeysStore } from './passkeys.store';

describe('the queries of passkeys', () => {
  const store = useAccountsDatabase(passkeysSchema);
  const record = new QueryRecord();

  beforeEach(async () => {
    const { db } = store;
    const { id: accountId } = await new AccountsStore(db).insert({
      email: 'ada@example.com',
      passwordHash: 'a hash',
    });
    const passkeys = new PasskeysStore(db);
    const credential = { credentialId: 'a credential', publicKey: 'a key', counter: 0, transports: '' };
    const row = { ...credential, accountId, name: null, createdAt: new Date() };
    const id = await passkeys.insert(row, db);
    await passkeys.listOf(accountId);
    const passkey = await passkeys.findByCredential(credential.credentialId);
    if (passkey) await passkeys.use(passkey, 1);
    const factor = new PasskeyFactor(passkeys, Object.create(PasskeyVerifier.prototype));
    await new SignInFactors([factor], db).enrolledOf(accountId);
    for (const removed of [id, undefined]) await passkeys.remove(accountId, removed, db);
  });

  it('read no growing table completely', async () => {
    expect(record.unexecuted('libs/passkeys/src')).toEqual({});
    expect(await record.fullScans(store.db)).toEqual([]);
  });

  it('name the account whose rows they touch, but for a sign-in that has a credential alone', () => {
    expect(lookupsIn(record.queries, passkeysSchema.tables)).toEqual(['passkey by credential_id']);
  });
});
