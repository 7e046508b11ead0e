import { type NewAccountRow } from '../src/tables/account.table';

/** An account as small as it may be. */
export function anAccount(emailKey: string): NewAccountRow {
  return { email: emailKey, emailKey, passwordHash: 'a hash', passwordChangedAt: new Date() };
}
