import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { type AccountsStore, noPassword } from '../account/accounts.store';
import type { ApiKeys } from '../api-keys/api-keys';
import type { AuditKind, AuditLog } from '../audit/audit-log';
import { forgetDevices } from '../devices/known-devices';
import type { Enrolments } from '../enrolments/enrolments';
import type { Mailer } from '../mails/mailer';
import type { Revocations } from '../revocation/revocations';
import type { SessionsStore } from '../sessions/sessions.store';
import type { SignInLimits } from '../sign-in/sign-in-limits';

/** Why access is revoked, for the audit log. */
export interface AccessRevocationCause {
  readonly kind: AuditKind & ('password-reset' | 'email-change-undone' | 'email-verified');
  /** Remote address of the request. */
  readonly ip: string;
  /** The time of the change that is undone: newer enrolments end. Absent if nothing is undone. */
  readonly since?: Date;
}

/** The services that {@link AccessRevocation} uses. */
export interface AccessRevocationParts {
  readonly store: AccountsStore;
  readonly sessions: SessionsStore;
  readonly keys: ApiKeys;
  readonly enrolments: Enrolments;
  readonly limits: SignInLimits;
  readonly audit: AuditLog;
  readonly revocations: Revocations;
  readonly mailer: Mailer;
}

/** Revokes everything that gives access to an account, for an owner who has nothing but the mailbox. */
export class AccessRevocation {
  constructor(private readonly parts: AccessRevocationParts) {}

  /**
   * Revokes sessions, access tokens, the reset link and API keys, forgets the known devices, and lifts the locks of the account at this
   * address and over all addresses; a lock at another address, which may be an attacker's, stays. Enrolments end as far as they are newer than the damage: all of
   * them if nobody has proven the e-mail before (D51).
   *
   * @param account as it was before the recovery
   * @param db      the transaction that revokes the account
   */
  async revokeAll(
    { id, email, emailVerifiedAt }: AccountRow,
    { kind, ip, since }: AccessRevocationCause,
    db: Queries,
  ): Promise<void> {
    const { store, sessions: ofAccounts, keys: apiKeys, enrolments, limits, audit } = this.parts;
    await store.incrementTokenGeneration(id, undefined, db);
    const sessions = await ofAccounts.removeAllOf(id, undefined, db);
    const keys = await apiKeys.removeAllOf(id, db);
    const isFirstProof = emailVerifiedAt === null && since === undefined;
    const factors = isFirstProof
      ? await enrolments.endAll(id, db)
      : await enrolments.endAtRecovery(id, since, db);
    await forgetDevices(id, db);
    await limits.unlock(email, ip, db);
    const detail = { sessions: sessions.length, keys, factors };
    await audit.record({ kind, accountId: id, ip, detail }, db);
  }

  /**
   * Records the first proof of an e-mail. Somebody else may have created the account with it, so everything from before ends: sessions,
   * keys, enrolments and the password. The owner is notified.
   *
   * @returns the account as it is now; `undefined` if it was removed
   */
  recordFirstProof({ id, emailKey }: AccountRow, ip: string): Promise<AccountRow | undefined> {
    const { store, revocations, mailer } = this.parts;
    return revocations.inTransaction(async (db, revoke) => {
      const account = await store.lock(id, db);
      if (account === undefined || account.emailVerifiedAt !== null || account.emailKey !== emailKey)
        return account;
      revoke('account', id);
      await this.revokeAll(account, { kind: 'email-verified', ip }, db);
      const { email } = account;
      await mailer.send('firstProof', { account, ip }, { email, ip, at: new Date() }, db);
      const change = {
        emailVerifiedAt: new Date(),
        passwordHash: noPassword,
        passwordChangeRequiredAt: null,
      };
      return store.update(id, change, db);
    });
  }
}
