import { UnauthenticatedError } from '@app/auth';
import { AccountsStore } from '@app/accounts';
import { ForeignKeyViolationError, StoreUnavailableError } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import type { FastifyRequest } from 'fastify';
import { librarySchemas } from '../schema';
import { ReferenceConflictError } from './errors';
import { explainForeignKey } from './foreign-keys';

describe('a violated foreign key', () => {
  const store = useMigratedDatabase(librarySchemas);
  const cause = new ForeignKeyViolationError();
  const explain = (user: unknown) =>
    explainForeignKey(cause, { user } as unknown as FastifyRequest, new AccountsStore(store.db));

  it('is a 401 if the account of the caller was removed', async () => {
    const explained = await explain({ userId: 4711 });
    expect(explained).toBeInstanceOf(UnauthenticatedError);
    expect(explained).toHaveProperty('cause', cause);
  });

  it('is a 409 with a code of its own for another reference, or without a caller', async () => {
    const { id } = await new AccountsStore(store.db).insert({ email: 'ada@example.com', passwordHash: 'h' });
    for (const user of [{ userId: id }, { name: 'a caller of another strategy' }, undefined])
      expect(await explain(user)).toBeInstanceOf(ReferenceConflictError);
    const { reply } = new ReferenceConflictError();
    expect(reply).toMatchObject({ status: 409, problem: { code: 'reference-conflict' } });
  });

  it('is what the store throws if it cannot be read', async () => {
    await store.db.destroy();
    expect(await explain({ userId: 1 })).toBeInstanceOf(StoreUnavailableError);
  });
});
