import { AccountsStore } from '@app/accounts';
import { useAccountsDatabase } from '@app/accounts/testing';
import { secondFactorsSchema } from '../../testing/second-factors-schema';
import { RecoveryCodesStore } from './recovery-codes.store';

describe('the recovery codes of accounts', () => {
  const current = useAccountsDatabase(secondFactorsSchema);
  const store = () => new RecoveryCodesStore(current.db);

  async function newAccount(email = 'ada@example.com'): Promise<number> {
    return (await new AccountsStore(current.db).insert({ email, passwordHash: 'none' })).id;
  }

  it('are accepted once, of their own account, also when two programs use one at once', async () => {
    const [ada, bob] = [await newAccount(), await newAccount('bob@example.com')];
    await store().set(ada, ['one', 'other'], current.db);
    expect(await store().use(bob, 'one')).toBe(false);
    const programs = [store(), new RecoveryCodesStore(current.openAnother())];
    const used = await Promise.all(
      Array.from({ length: 10 }, (_, attempt) => programs[attempt % 2].use(ada, 'one')),
    );
    expect(used.filter((isUsed) => isUsed)).toHaveLength(1);
    expect(await store().count(ada)).toBe(1);
  });

  it('are deleted with their account', async () => {
    const id = await newAccount();
    await store().set(id, ['one'], current.db);
    await new AccountsStore(current.db).remove(id);
    expect(await store().count(id)).toBe(0);
  });
});
