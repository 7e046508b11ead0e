import type { Passwords } from '@app/auth';
import type { AccountRow } from '../account/account.table';
import { UnchangedPasswordError } from '../errors';

/**
 * Checks that a new password differs from the current password, if the account must change it.
 *
 * @param origin the same origin as for hashing the new password
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
