import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { AccountsStore } from '../account/accounts.store';
import type { ApiKeys } from '../api-keys/api-keys';
import type { AuditLog } from '../audit/audit-log';
import type { SessionsStore } from '../sessions/sessions.store';
import { removeIdentities } from '../trusted-issuers/trusted-identities.store';
import type { SignInLimits } from '../sign-in/sign-in-limits';

/** Why access is revoked, for the audit log. */
export interface AccessRevocationCause {
  readonly kind: 'password-reset' | 'email-change-undone';
  /** Remote address of the request. */
  readonly ip: string;
}

/** Revokes everything that gives access to an account, for an owner who has nothing but the mailbox. */
export class AccessRevocation {
  constructor(
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly keys: ApiKeys,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Revokes sessions, access tokens, the link of a reset, API keys and links to identity providers, and lifts the locks of the account
   * at this address and over all addresses; a lock at another address, which may be an attacker's, stays.
   *
   * @param db the transaction that revokes the account
   */
  async revokeAll(
    { id, email }: AccountRow,
    { kind, ip }: AccessRevocationCause,
    db: Queries,
  ): Promise<void> {
    await this.store.incrementTokenGeneration(id, undefined, db);
    const sessions = await this.sessions.removeAllOf(id, undefined, db);
    const keys = await this.keys.removeAllOf(id, db);
    // Whoever had the account before may have linked an identity of their own.
    await removeIdentities.execute(db, { accountId: id });
    await this.limits.unlock(email, ip, db);
    const detail = { sessions: sessions.length, keys };
    await this.audit.record({ kind, accountId: id, ip, detail }, db);
  }
}
