import { type Database, inTransaction } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { AccountsStore } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import { type CheckedSignIn, isPasswordUnchanged } from './credential-check';
import type { KnownDevices } from '../devices/known-devices';
import type { AccountNotices } from '../mails/account-notices';
import type { NewDevices } from '../devices/new-devices';
import { checkEnabled } from './sign-in-failure';
import { deviceOf, type SignInOrigin } from '../devices/sign-in-origin';

/** Records sign-ins whose credentials were checked, before anything is issued for them. */
export class SignInRecord {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly knownDevices: KnownDevices,
    private readonly devices: NewDevices,
    private readonly notices: AccountNotices,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records a sign-in, with its factors and their times. The credentials were checked outside of the transaction: the account may have
   * changed meanwhile.
   *
   * @returns the account as it is now; `undefined` if it was removed, or its password changed
   * @throws AccountDisabledError if it was disabled
   */
  async record(checked: CheckedSignIn, origin: SignInOrigin): Promise<AccountRow | undefined> {
    const { account, passwordHash } = checked;
    const { ip } = origin;
    const place = { ip, device: deviceOf(origin) };
    const { isNew, isNotified } = await this.devices.check(account, place);
    const updated = await inTransaction(this.db, async (db) => {
      const now = await this.store.lock(account.id, db);
      if (now === undefined || !isPasswordUnchanged(account, now)) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record(
        { kind: 'sign-in', accountId: account.id, ip, detail: detailOf(checked, isNew) },
        db,
      );
      await this.knownDevices.record(account.id, place, db);
      if (isNotified) await this.notices.addNewDevice(now, place, db);
      return this.store.recordSignIn(account.id, { ip, passwordHash }, db);
    });
    return updated && checkEnabled(this.audit, updated, ip);
  }
}

function detailOf({ factors }: CheckedSignIn, isNewDevice: boolean) {
  return {
    ...(isNewDevice && { newDevice: true }),
    factors: factors.map(({ kind }) => kind),
    verifiedAt: factors.map(({ at }) => at.toISOString()),
  };
}
