import { Injectable } from '@nestjs/common';
import type { SignedInUser } from '../access/access-check';
import { AccountsStore } from '../account/accounts.store';
import { ApiKeys } from '../api-keys/api-keys';
import { type Actor, recordOf } from '../access/actor';
import { AuditLog } from '../audit/audit-log';
import { Revocations } from '../revocation/revocations';
import { SessionsStore } from './sessions.store';

/** The access that is revoked together with all sessions. */
export interface RevokeAllOptions {
  /** Whether API keys are revoked too; default `false`. */
  readonly revokesKeys?: boolean;
}

/** Revokes sessions. */
@Injectable()
export class Sessions {
  constructor(
    private readonly store: SessionsStore,
    private readonly accounts: AccountsStore,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
    private readonly keys: ApiKeys,
  ) {}

  /** Revokes the sign-in behind the caller's token, with or without a session. */
  async logout({ userId, sid, jti }: SignedInUser, ip: string): Promise<void> {
    await this.revocations.inTransaction(async (db, revoke) => {
      if (sid !== undefined) {
        await this.store.removeBySid(userId, sid, db);
        revoke('session', sid);
      } else if (jti !== undefined) revoke('token', jti);
      await this.audit.record({ kind: 'session-revoked', accountId: userId, ip }, db);
    });
  }

  /**
   * Revokes an account's session.
   *
   * @returns whether the account had the session
   */
  revoke(accountId: number, id: number, actor: Actor = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const session = await this.store.remove({ accountId, id }, db);
      if (session === undefined) return false;
      revoke('session', session.sid);
      await this.audit.record({ kind: 'session-revoked', accountId, ...recordOf(actor) }, db);
      return true;
    });
  }

  /**
   * Revokes all the account's sessions and tokens and, with `revokesKeys`, its API keys.
   *
   * @returns how many API keys still work; `undefined` if the account does not exist
   */
  revokeAll(
    accountId: number,
    actor: Actor = {},
    { revokesKeys = false }: RevokeAllOptions = {},
  ): Promise<number | undefined> {
    return this.revocations.inTransaction(async (db, revoke) => {
      if (!(await this.accounts.incrementTokenGeneration(accountId, undefined, db))) return undefined;
      await this.store.removeAllOf(accountId, undefined, db);
      revoke('account', accountId);
      await this.audit.record(
        { kind: 'session-revoked', accountId, ...recordOf(actor), detail: { all: true } },
        db,
      );
      if (revokesKeys) await this.keys.revokeAll(accountId, actor, db);
      return this.keys.countActive(accountId, db);
    });
  }
}
