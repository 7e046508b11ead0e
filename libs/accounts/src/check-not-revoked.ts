import { UnauthenticatedError } from '@app/auth';
import type { AccountRow } from '@app/persistence';
import type { SignedInUser } from './access-check';
import { AccountDisabledError } from './errors';
import { isOfRevokedGeneration } from './sessions/sid';

/** What tells whether a sign-in was revoked. */
export type RevocableAccount = Pick<AccountRow, 'disabledAt' | 'tokenGeneration' | 'keptSession'>;

/**
 * Checks, in the transaction of a change, that the sign-in of the caller was not revoked after the guard's check: what it leaves
 * behind, such as a key, must not outlive it.
 *
 * @param account `undefined` if it was removed
 * @throws UnauthenticatedError, AccountDisabledError
 */
export function checkNotRevoked(
  caller: Pick<SignedInUser, 'sid' | 'jti'>,
  account: RevocableAccount | undefined,
): void {
  if (account === undefined) throw new UnauthenticatedError();
  if (account.disabledAt !== null) throw new AccountDisabledError();
  if (isOfRevokedGeneration(account, caller)) throw new UnauthenticatedError();
}
