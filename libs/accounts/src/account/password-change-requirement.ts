import type { AccountRow } from './account.table';

/** The fact of an audit event that the password must be changed at its first use. */
export function requirementOf({
  passwordChangeRequiredAt = null,
}: Partial<Pick<AccountRow, 'passwordChangeRequiredAt'>>): { mustChangePassword?: true } {
  return passwordChangeRequiredAt === null ? {} : { mustChangePassword: true };
}
