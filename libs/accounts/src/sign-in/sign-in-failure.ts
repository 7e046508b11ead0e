import type { AccountRow } from '../account/account.table';
import type { AuditLog } from '../audit/audit-log';
import { AccountDisabledError } from '../errors';

/** Why a sign-in failed: `credentials` is the first factor, `factor` one after it. */
export type SignInFailure =
  { readonly reason: 'credentials' | 'disabled' } | { readonly reason: 'factor'; readonly factor: string };

/** Records a failed sign-in. */
export function auditFailure(
  audit: AuditLog,
  failure: SignInFailure,
  accountId: number | undefined,
  ip: string,
): Promise<void> {
  return audit.record({ kind: 'sign-in-failed', accountId, ip, detail: { ...failure } });
}

/** @throws AccountDisabledError if the account is disabled, which is recorded */
export async function checkEnabled<Account extends Pick<AccountRow, 'id' | 'disabledAt'>>(
  audit: AuditLog,
  account: Account,
  ip: string,
): Promise<Account> {
  if (account.disabledAt === null) return account;
  await auditFailure(audit, { reason: 'disabled' }, account.id, ip);
  throw new AccountDisabledError();
}
