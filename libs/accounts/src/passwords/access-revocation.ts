import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore, noPassword } from '../account/accounts.store';
import { ApiKeys } from '../api-keys/api-keys';
import { type AuditKind, AuditLog } from '../audit/audit-log';
import { forgetDevices } from '../devices/known-devices';
import { Enrolments } from '../factors/enrolments';
import { Mailer } from '../mails/mailer';
import { Revocations } from '../revocation/revocations';
import { SessionsStore } from '../sessions/sessions.store';
import { SignInLimits } from '../sign-in/sign-in-limits';
import type { FirstProofs } from '../sign-in/sign-in-sequence';

/** The reason for revoking access, for the audit log. */
export interface AccessRevocationCause {
  readonly kind: AuditKind & ('password-reset' | 'email-change-undone' | 'email-verified');
  /** The request's remote address. */
  readonly ip: string;
  /** The undone change's time. Newer enrolments end. It is absent if nothing is undone. */
  readonly since?: Date;
}

/** Revokes everything that gives access to an account, for an owner who has nothing but the mailbox. */
@Injectable()
export class AccessRevocation implements FirstProofs {
  constructor(
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly keys: ApiKeys,
    private readonly enrolments: Enrolments,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
    private readonly revocations: Revocations,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Revokes sessions, access tokens, the reset link and API keys, and forgets the known devices. It lifts the account's locks at
   * this address and over all addresses; locks at further addresses stay, because an attacker may have caused them. Enrolments
   * end if they are newer than the damage, and all enrolments end if the e-mail was never proven (D51).
   *
   * @param account the account before the recovery
   * @param db the transaction that revokes the account
   */
  async revokeAll(
    { id, email, emailVerifiedAt }: AccountRow,
    { kind, ip, since }: AccessRevocationCause,
    db: Queries,
  ): Promise<void> {
    await this.store.incrementTokenGeneration(id, undefined, db);
    const sessions = await this.sessions.removeAllOf(id, undefined, db);
    const keys = await this.keys.removeAllOf(id, db);
    const isFirstProof = emailVerifiedAt === null && since === undefined;
    const factors = isFirstProof
      ? await this.enrolments.endAll(id, db)
      : await this.enrolments.endAtRecovery(id, since, db);
    await forgetDevices(id, db);
    await this.limits.unlock(email, ip, db);
    const detail = { sessions: sessions.length, keys, factors };
    await this.audit.record({ kind, accountId: id, ip, detail }, db);
  }

  /**
   * Records an e-mail's first proof. Somebody else may have created the account with it, so everything from before ends:
   * sessions, keys, enrolments and the password. The owner is notified.
   *
   * @returns the account as it is now; `undefined` if it was removed
   */
  recordFirstProof({ id, emailKey }: AccountRow, ip: string): Promise<AccountRow | undefined> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.store.lock(id, db);
      if (account === undefined || account.emailVerifiedAt !== null || account.emailKey !== emailKey)
        return account;
      revoke('account', id);
      await this.revokeAll(account, { kind: 'email-verified', ip }, db);
      const { email } = account;
      await this.mailer.send('firstProof', { account, ip }, { email, ip, at: new Date() }, db);
      const change = {
        emailVerifiedAt: new Date(),
        passwordHash: noPassword,
        passwordChangeRequiredAt: null,
      };
      return this.store.update(id, change, db);
    });
  }
}
