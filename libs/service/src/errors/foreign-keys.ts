import type { AccountsStore } from '@app/accounts';
import { UnauthenticatedError } from '@app/auth';
import type { ForeignKeyViolationError } from '@app/persistence';
import type { FastifyRequest } from 'fastify';
import { ReferenceConflictError } from './errors';

/**
 * Explains the cause of a foreign key violation. SQLite leaves out the constraint's name, so the caller's account is looked up,
 * because most rows refer to their writer's account. The access check accepts an account for a moment after a second program has
 * removed it.
 *
 * @returns a 401 if the caller's account is missing, otherwise a 409; the store's error if reading fails
 */
export async function explainForeignKey(
  cause: ForeignKeyViolationError,
  request: FastifyRequest,
  accounts: Pick<AccountsStore, 'stateOf'> | undefined,
): Promise<unknown> {
  const { userId }: { userId?: unknown } = Object(Reflect.get(request, 'user'));
  if (accounts === undefined || typeof userId !== 'number') return new ReferenceConflictError({ cause });
  try {
    const account = await accounts.stateOf(userId);
    return account === undefined
      ? new UnauthenticatedError({ cause })
      : new ReferenceConflictError({ cause });
  } catch (error) {
    return error;
  }
}
