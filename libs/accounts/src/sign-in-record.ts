import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import type { AuditLog } from './audit-log';
import { type CheckedSignIn, isPasswordUnchanged } from './credential-check';
import type { FamiliarAddresses } from './familiar-addresses';
import type { AccountNotices } from './mails/account-notices';
import type { NewDevices } from './new-devices';
import { checkEnabled } from './sign-in-failure';
import { deviceOf, type SignInOrigin } from './sign-in-origin';

/** Records sign-ins whose credentials were checked, before anything is issued for them. */
export class SignInRecord {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly familiar: FamiliarAddresses,
    private readonly devices: NewDevices,
    private readonly notices: AccountNotices,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records a sign-in, with its proofs and their times. The credentials were checked outside of the transaction: the account may have
   * changed meanwhile.
   *
   * @returns the account as it is now; `undefined` if it was removed, or its password changed
   * @throws AccountDisabledError if it was disabled
   */
  async record(checked: CheckedSignIn, origin: SignInOrigin): Promise<AccountRow | undefined> {
    const { account, passwordHash } = checked;
    const { ip } = origin;
    const place = { ip, device: deviceOf(origin) };
    const { isNew, isTold } = await this.devices.judge(account, place);
    const updated = await inTransaction(this.db, async (db) => {
      const now = await this.store.findById(account.id, db);
      if (now === undefined || !isPasswordUnchanged(account, now)) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record(
        { kind: 'sign-in', accountId: account.id, ip, detail: proved(checked, isNew) },
        db,
      );
      await this.familiar.record(account.id, place, db);
      if (isTold) await this.notices.addNewDevice(now, place, db);
      return this.store.recordSignIn(account.id, { ip, passwordHash }, db);
    });
    return updated && checkEnabled(this.audit, updated, ip);
  }
}

function proved({ proofs }: CheckedSignIn, isNewDevice: boolean) {
  return {
    ...(isNewDevice && { newDevice: true }),
    proofs: proofs.map(({ kind }) => kind),
    provedAt: proofs.map(({ at }) => at.toISOString()),
  };
}
