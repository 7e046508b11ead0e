import { type Passwords, UnauthenticatedError } from '@app/auth';
import type { AccountRow, Queries } from '@app/persistence';
import type { SignedInUser } from './access-check';
import type { AccountsStore } from './accounts.store';
import type { AuditLog } from './audit-log';
import { mapEmailTaken } from './email-taken';
import { AccountDisabledError } from './errors';
import type { AccountState } from './revocation/account-state-cache';
import type { Revocations } from './revocation/revocations';
import type { SessionsStore } from './sessions/sessions.store';
import { isOfRevokedGeneration, signInIdOf } from './sessions/sid';

/** The caller who changes an account. */
type Actor = Pick<SignedInUser, 'userId' | 'sid' | 'jti'>;

/** New credentials of an account. */
export interface CredentialsChange {
  readonly email: string;
  readonly password?: string;
}

/** Changes of e-mail and password. */
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsStore,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Changes the e-mail of an account, and its password if one is given; a new password revokes every sign-in of the account
   * except the owner's current one (D9).
   *
   * @returns the updated account, or `undefined` if it does not exist
   * @throws EmailTakenError if another account has the e-mail
   * @throws UnauthenticatedError, AccountDisabledError if the owner's sign-in was revoked meanwhile
   */
  async change(
    id: number,
    { email, password }: CredentialsChange,
    by?: Actor,
  ): Promise<AccountRow | undefined> {
    const passwordHash =
      password === undefined
        ? undefined
        : await this.passwords.hash(password, { kind: 'change', source: `account:${id}` });
    const change = this.revocations.inTransaction(async (db, revoke) => {
      if (by?.userId === id) checkNotRevoked(by, await this.store.stateOf(id, db));
      if (passwordHash === undefined) {
        const account = await this.store.findById(id, db);
        if (account === undefined || account.email === email) return account;
      }
      revoke('account', id);
      if (passwordHash === undefined) return this.store.update(id, { email }, db);
      await this.revokeOthers(id, by, db);
      return this.store.update(id, { email, passwordHash, passwordChangedAt: new Date() }, db);
    });
    return mapEmailTaken(change);
  }

  private async revokeOthers(id: number, by: Actor | undefined, db: Queries): Promise<void> {
    const kept = by?.userId === id ? signInIdOf(by) : undefined;
    if (!(await this.store.incrementTokenGeneration(id, kept, db))) return;
    await this.sessions.removeAllOf(id, kept, db);
    await this.audit.record({ kind: 'password-changed', accountId: id, actorId: by?.userId }, db);
  }
}

/** The sign-in may have been revoked after the guard's check; it must not become the kept one. */
function checkNotRevoked(actor: Actor, account: AccountState | undefined): void {
  if (account === undefined) throw new UnauthenticatedError();
  if (account.disabledAt !== null) throw new AccountDisabledError();
  if (isOfRevokedGeneration(account, actor)) throw new UnauthenticatedError();
}
