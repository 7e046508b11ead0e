import { UnauthenticatedError } from '@app/auth';
import { useMigratedDatabase } from '@app/persistence/testing';
import { AccountsStore } from './accounts.store';
import { ApiKeys } from './api-keys';
import { AuditLog } from './audit-log';
import { AccountDisabledError } from './errors';
import { makeSid } from './sessions/sid';

describe('an API key of a sign-in that was revoked after the check of the guard', () => {
  const database = useMigratedDatabase();

  const revoke = {
    'by a new token generation': (store: AccountsStore, id: number) =>
      store.incrementTokenGeneration(id, undefined, database.db),
    'by disabling the account': (store: AccountsStore, id: number) =>
      store.update(id, { disabledAt: new Date() }),
    'by removing the account': (store: AccountsStore, id: number) => store.remove(id),
  };

  it.each([
    ['by a new token generation', UnauthenticatedError],
    ['by disabling the account', AccountDisabledError],
    ['by removing the account', UnauthenticatedError],
  ] as const)('is not made: %s', async (how, error) => {
    const { db } = database;
    const store = new AccountsStore(db);
    const keys = new ApiKeys(db, new AuditLog(db));
    const { id } = await store.insert({ email: 'ada@example.com', passwordHash: 'none' });
    const caller = { userId: id, sid: makeSid(0) };
    await keys.create(caller, { name: 'before' });
    await revoke[how](store, id);
    await expect(keys.create(caller, { name: 'after' })).rejects.toThrow(error);
    const names = (await keys.list(id, { limit: 10, offset: 0 })).map(({ name }) => name);
    expect(names).not.toContain('after');
  });
});
