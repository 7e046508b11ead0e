import { type NewAccountRow } from '../src/framework/account.table';

/** An account with the required columns only. */
export function anAccount(emailKey: string): NewAccountRow {
  return { email: emailKey, emailKey, passwordHash: 'a hash', passwordChangedAt: new Date() };
}
