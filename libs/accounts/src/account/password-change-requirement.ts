import type { AccountRow } from './account.table';

/** Returns the audit fact that the password must be changed at its first use. */
export function requirementOf({
  passwordChangeRequiredAt = null,
}: Partial<Pick<AccountRow, 'passwordChangeRequiredAt'>>): { mustChangePassword?: true } {
  return passwordChangeRequiredAt === null ? {} : { mustChangePassword: true };
}
