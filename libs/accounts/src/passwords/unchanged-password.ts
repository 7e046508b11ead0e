import type { Passwords } from '@app/auth';
import type { AccountRow } from '../account/account.table';
import { UnchangedPasswordError } from '../errors';

/**
 * Compares a new password of an account with the one that must be changed, if it must.
 *
 * @param origin as for the hash of the new one
 * @throws UnchangedPasswordError if they are equal
 * @throws SignInOverloadError
 */
export async function checkChanged(
  passwords: Passwords,
  account: Pick<AccountRow, 'passwordHash' | 'passwordChangeRequiredAt'>,
  password: string,
  origin: Parameters<Passwords['hash']>[1],
): Promise<void> {
  if (account.passwordChangeRequiredAt === null) return;
  const isEqual = await passwords.runQueued((compare) => compare(account.passwordHash, password), origin);
  if (isEqual) throw new UnchangedPasswordError();
}
