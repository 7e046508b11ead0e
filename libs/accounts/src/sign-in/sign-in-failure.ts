import type { AccountRow } from '../account/account.table';
import type { AuditLog } from '../audit/audit-log';
import { AccountDisabledError } from '../errors';

/** Why a sign-in failed: `credentials` is a password or a factor. */
export type SignInFailure = 'credentials' | 'disabled';

/** Records a failed sign-in. */
export function auditFailure(
  audit: AuditLog,
  reason: SignInFailure,
  accountId: number | undefined,
  ip: string,
): Promise<void> {
  return audit.record({ kind: 'sign-in-failed', accountId, ip, detail: { reason } });
}

/** @throws AccountDisabledError if the account is disabled, which is recorded */
export async function checkEnabled<Account extends Pick<AccountRow, 'id' | 'disabledAt'>>(
  audit: AuditLog,
  account: Account,
  ip: string,
): Promise<Account> {
  if (account.disabledAt === null) return account;
  await auditFailure(audit, 'disabled', account.id, ip);
  throw new AccountDisabledError();
}
