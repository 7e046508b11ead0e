import { createSecretKey, randomBytes } from 'node:crypto';
import { AccountsStore } from '@app/accounts';
import { useAccountsDatabase } from '@app/accounts/testing';
import { secondFactorsSchema } from '../../testing/second-factors-schema';
import { TotpSecrets } from './totp-secrets';
import { TotpStore } from './totp.store';

const makeKey = () => createSecretKey(randomBytes(32));
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('the second factors of accounts', () => {
  const current = useAccountsDatabase(secondFactorsSchema);
  const store = () => new TotpStore(current.db);

  async function newAccount(email = 'ada@example.com'): Promise<number> {
    return (await new AccountsStore(current.db).insert({ email, passwordHash: 'none' })).id;
  }

  async function enrol(accountId: number, keys = [makeKey()] as const, createdAt = new Date()) {
    const sealed = new TotpSecrets(store(), keys).seal(secret, accountId);
    return store().begin({ accountId, ...sealed, createdAt }, current.db);
  }

  it('accept a step once, also when two programs use it at once', async () => {
    const id = await newAccount();
    await enrol(id);
    await store().confirm(id, 6, current.db);
    const programs = [store(), new TotpStore(current.openAnother())];
    const used = await Promise.all(
      Array.from({ length: 10 }, (_, attempt) => programs[attempt % 2].useStep(id, 7)),
    );
    expect(used.filter((isUsed) => isUsed)).toHaveLength(1);
    expect([await store().useStep(id, 7), await store().useStep(id, 6)]).toEqual([false, false]);
    expect(await store().useStep(id, 8)).toBe(true);
  });

  it('accept no code of an enrolment that is not confirmed', async () => {
    const id = await newAccount();
    await enrol(id);
    expect(await store().useStep(id, 7)).toBe(false);
  });

  it('are replaced until they are confirmed, and not afterwards', async () => {
    const id = await newAccount();
    expect([await enrol(id), await enrol(id)]).toEqual([true, true]);
    await store().confirm(id, 6, current.db);
    const before = await store().find(id);
    expect(await enrol(id)).toBe(false);
    expect(await store().find(id)).toEqual(before);
  });

  it('are deleted if nobody confirms them', async () => {
    const [ada, bob] = [await newAccount(), await newAccount('bob@example.com')];
    for (const id of [ada, bob]) await enrol(id, undefined, new Date(1000));
    await store().confirm(bob, 6, current.db);
    expect(await store().deleteUnconfirmed(new Date(1000), 10)).toBe(0);
    expect(await store().deleteUnconfirmed(new Date(1001), 10)).toBe(1);
    expect([await store().find(ada), (await store().find(bob))?.lastStep]).toEqual([undefined, 6]);
  });

  it('are deleted with their account', async () => {
    const id = await newAccount();
    await enrol(id);
    await new AccountsStore(current.db).remove(id);
    expect(await store().find(id)).toBeUndefined();
  });

  it('have secrets that no key but their own decrypts, and for no other account', async () => {
    const [ada, bob, key] = [await newAccount(), await newAccount('bob@example.com'), makeKey()];
    const secrets = new TotpSecrets(store(), [key]);
    const { sealedSecret } = secrets.seal(secret, ada);
    expect(sealedSecret).not.toContain(secret);
    expect(secrets.unseal({ accountId: ada, sealedSecret })).toBe(secret);
    expect(secrets.unseal({ accountId: bob, sealedSecret })).toBeUndefined();
    const others = new TotpSecrets(store(), [makeKey()]);
    expect(others.unseal({ accountId: ada, sealedSecret })).toBeUndefined();
  });

  it('are encrypted by the current key after a rotation, so that the previous one can go', async () => {
    const [previous, key] = [makeKey(), makeKey()];
    const ids = [];
    for (let number = 1; number <= 3; number += 1) {
      const id = await newAccount(`user-${number}@example.com`);
      await enrol(id, [previous]);
      ids.push(id);
    }
    const rotated = new TotpSecrets(store(), [key, previous]);
    expect([await rotated.resealNext(2), await rotated.resealNext(2), await rotated.resealNext(2)]).toEqual([
      2, 1, 0,
    ]);
    const later = new TotpSecrets(store(), [key]);
    for (const id of ids) {
      const totp = await store().find(id);
      expect(totp && later.unseal(totp)).toBe(secret);
    }
  });

  it('that no key decrypts do not stop the encryption of others', async () => {
    const [previous, key] = [makeKey(), makeKey()];
    const [ada, bob] = [await newAccount(), await newAccount('bob@example.com')];
    for (const id of [ada, bob]) await enrol(id, [previous]);
    await current.db
      .updateTable('totp')
      .set({ sealedSecret: 'broken' })
      .where('accountId', '=', ada)
      .execute();
    const rotated = new TotpSecrets(store(), [key, previous]);
    for (let batch = 0; batch < 2; batch += 1) expect(await rotated.resealNext(1)).toBe(1);
    expect(await rotated.resealNext(1)).toBe(0);
    const totp = await store().find(bob);
    expect(totp && new TotpSecrets(store(), [key]).unseal(totp)).toBe(secret);
  });
});
