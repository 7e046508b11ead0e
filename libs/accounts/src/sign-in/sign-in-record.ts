import { type Database, inTransaction, type Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { AccountsStore } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import type { VerifiedFactors } from '../factors/sign-in-factor';
import type { SignInFactors } from '../factors/sign-in-factors';
import type { KnownDevices } from '../devices/known-devices';
import type { AccountNotices } from '../mails/account-notices';
import type { NewDevices } from '../devices/new-devices';
import { deviceOf, type SignInOrigin } from '../devices/sign-in-origin';

/** A sign-in whose factors are verified; nothing of it is recorded yet. */
export interface ProvenSignIn {
  /** As it was when the first factor was verified. */
  readonly account: AccountRow;
  readonly factors: VerifiedFactors;
  /** A new hash of the same password if the stored one has outdated parameters. */
  readonly passwordHash?: string | null;
}

/** Takes what a sign-in may use once, in the transaction that records it. */
export type UseOnce = (db: Queries) => Promise<boolean>;

/** Records sign-ins whose factors were verified, before anything is issued for them. */
export class SignInRecord {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly factors: SignInFactors,
    private readonly knownDevices: KnownDevices,
    private readonly devices: NewDevices,
    private readonly notices: AccountNotices,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records a sign-in, with its factors and their times. They were verified outside of the transaction: the account may have
   * changed meanwhile.
   *
   * @param use what must be used by no other sign-in
   * @returns the account as it is now; `undefined` if it was removed, its password changed, or it requires another factor now
   */
  async record(
    proven: ProvenSignIn,
    origin: SignInOrigin,
    use: UseOnce = async () => true,
  ): Promise<AccountRow | undefined> {
    const { account, passwordHash = null } = proven;
    const { ip } = origin;
    const place = { ip, device: deviceOf(origin) };
    const { isNew, isNotified } = await this.devices.check(account, place);
    return inTransaction(this.db, async (db) => {
      const now = await this.lockProven(proven, db);
      if (now === undefined || !(await use(db))) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record(
        { kind: 'sign-in', accountId: account.id, ip, detail: detailOf(proven, isNew) },
        db,
      );
      await this.knownDevices.record(account.id, place, db);
      if (isNotified) await this.notices.addNewDevice(now, place, db);
      return this.store.recordSignIn(account.id, { ip, passwordHash }, db);
    });
  }

  /** Locks the account of a sign-in; `undefined` if its factors are no longer sufficient. */
  async lockProven({ account, factors }: ProvenSignIn, db: Queries): Promise<AccountRow | undefined> {
    const now = await this.store.lock(account.id, db);
    if (now === undefined || now.tokenGeneration === account.tokenGeneration) return now;
    // What was proven before can be proven again; the token of a second factor ends with all access.
    if (now.passwordHash !== account.passwordHash || factors.length > 1) return undefined;
    return (await this.factors.pendingOf(account.id, factors, db)).length === 0 ? now : undefined;
  }
}

function detailOf({ factors }: ProvenSignIn, isNewDevice: boolean) {
  const names = factors.flatMap(({ name }) => name ?? []);
  return {
    ...(isNewDevice && { newDevice: true }),
    ...(names.length > 0 && { names }),
    factors: factors.map(({ kind }) => kind),
    verifiedAt: factors.map(({ at }) => at.toISOString()),
  };
}
