import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import type { AuditLog } from './audit-log';
import { type CheckedSignIn, isPasswordUnchanged } from './credential-check';
import type { FamiliarAddresses } from './familiar-addresses';
import { checkEnabled } from './sign-in-failure';
import type { SignInOrigin } from './sign-in-origin';

/** Records sign-ins whose credentials were checked, before anything is issued for them. */
export class SignInRecord {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly familiar: FamiliarAddresses,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records a sign-in, with its proofs and their times. The credentials were checked outside of the transaction: the account may have
   * changed meanwhile.
   *
   * @returns the account as it is now; `undefined` if it was removed, or its password changed
   * @throws AccountDisabledError if it was disabled
   */
  async record(checked: CheckedSignIn, { ip }: SignInOrigin): Promise<AccountRow | undefined> {
    const { account, passwordHash } = checked;
    const updated = await inTransaction(this.db, async (db) => {
      const now = await this.store.findById(account.id, db);
      if (now === undefined || !isPasswordUnchanged(account, now)) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record({ kind: 'sign-in', accountId: account.id, ip, detail: proved(checked) }, db);
      await this.familiar.record(account.id, ip, db);
      return this.store.recordSignIn(account.id, { ip, passwordHash }, db);
    });
    return updated && checkEnabled(this.audit, updated, ip);
  }
}

function proved({ proofs }: CheckedSignIn) {
  return {
    proofs: proofs.map(({ kind }) => kind),
    provedAt: proofs.map(({ at }) => at.toISOString()),
  };
}
