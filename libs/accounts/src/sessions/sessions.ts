import type { SignedInUser } from '../access-check';
import type { AccountsStore } from '../accounts.store';
import type { ApiKeys } from '../api-keys';
import type { Operator } from '../operator';
import type { AuditLog } from '../audit-log';
import type { Revocations } from '../revocation/revocations';
import type { SessionsStore } from './sessions.store';

/** What ends with all sessions. */
export interface EndAllOptions {
  /** API keys as well; default `false`. */
  readonly endsKeys?: boolean;
}

/** Ends sessions. */
export class Sessions {
  constructor(
    private readonly store: SessionsStore,
    private readonly accounts: AccountsStore,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
    private readonly keys: ApiKeys,
  ) {}

  /** Ends the sign-in of the caller's token, with or without a session. */
  async logout({ userId, sid, jti }: SignedInUser, ip: string): Promise<void> {
    await this.revocations.inTransaction(async (db, revoke) => {
      if (sid !== undefined) {
        await this.store.removeBySid(sid, db);
        revoke('session', sid);
      } else if (jti !== undefined) revoke('token', jti);
      await this.audit.record({ kind: 'session-ended', accountId: userId, ip }, db);
    });
  }

  /**
   * Ends one session of an account.
   *
   * @returns whether the account had it
   */
  end(accountId: number, id: number, operator: Operator = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const session = await this.store.findById(id, db);
      if (session?.accountId !== accountId) return false;
      await this.store.remove(id, db);
      revoke('session', session.sid);
      await this.audit.record({ kind: 'session-ended', accountId, ...operator }, db);
      return true;
    });
  }

  /**
   * Ends every session of an account, revokes all its tokens and, if asked for, its API keys.
   *
   * @returns how many API keys still work; `undefined` if the account does not exist
   */
  endAll(
    accountId: number,
    operator: Operator = {},
    { endsKeys = false }: EndAllOptions = {},
  ): Promise<number | undefined> {
    return this.revocations.inTransaction(async (db, revoke) => {
      if (!(await this.accounts.incrementTokenGeneration(accountId, undefined, db))) return undefined;
      await this.store.removeAllOf(accountId, undefined, db);
      revoke('account', accountId);
      await this.audit.record({ kind: 'session-ended', accountId, ...operator, detail: { all: true } }, db);
      if (endsKeys) await this.keys.revokeAll(accountId, operator, db);
      return this.keys.countActive(accountId, db);
    });
  }
}
