import type { AccountsStore } from '@app/accounts';
import { UnauthenticatedError } from '@app/auth';
import type { ForeignKeyViolationError } from '@app/persistence';
import type { FastifyRequest } from 'fastify';
import { ReferenceConflictError } from './errors';

/**
 * What a violated foreign key means for a request. SQLite does not name the constraint, so the caller is looked up: most rows refer to
 * the account that wrote them, and the access check knows an account that another program has just removed for a moment longer.
 *
 * @returns a 401 if the account of the caller does not exist, otherwise a 409; what the store throws, if it cannot be read
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
