import { type AccessClaims, type AccessTokens, type Passwords, UnauthenticatedError } from '@app/auth';
import { type AccountRow, type Queries, mapUniqueViolation } from '@app/persistence';
import type { AccountsStore, NewAccount } from './accounts.store';
import type { CredentialCheck } from './credential-check';
import { emailKey } from './emails';
import type { AuditLog } from './audit-log';
import { AccountDisabledError, EmailTakenError } from './errors';
import type { RevocationView } from './revocation/revocation-view';
import type { Revocations } from './revocation/revocations';
import type { AccountState, AccountStateCache } from './revocation/account-state-cache';
import type { SessionsStore } from './sessions/sessions.store';
import { tokenGenerationOf, makeSid } from './sessions/sid';

/** Who is calling, as the access token and the store say it. */
export interface SignedInUser {
  readonly userId: number;
  readonly username: string;
  readonly role: 'user' | 'admin';
  /** The sign-in that the token comes from. */
  readonly sid?: string;
  readonly jti?: string;
}

/** Whose sign-in asks for a change. */
type Asker = Pick<SignedInUser, 'userId' | 'sid' | 'jti'>;

/** An account to be made, its password still in the clear. */
export type Credentials = Omit<NewAccount, 'passwordHash'> & { readonly password: string };

/** What a user or an administrator may change about an account's credentials. */
export interface CredentialsChange {
  readonly email: string;
  readonly password?: string;
}

/** Sign-up, sign-in and the question who a token belongs to: where auth and the store meet. */
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly credentials: CredentialCheck,
    private readonly sessions: SessionsStore,
    private readonly revocations: Revocations,
    private readonly view: RevocationView,
    private readonly accountStates: AccountStateCache,
    private readonly audit: AuditLog,
  ) {}

  /** @throws EmailTakenError when another account has the e-mail */
  async signUp({ password, ...account }: Credentials): Promise<AccountRow> {
    const passwordHash = await this.passwords.hash(password);
    return unlessEmailTaken(this.store.insert({ ...account, passwordHash }));
  }

  /**
   * Changes an account's e-mail, and its password when one is given: that ends every sign-in of the account but
   * the one by which its owner asked for it (D9).
   *
   * @param by who asks
   * @returns the account as it is now, or `undefined` if there is none with this id
   * @throws EmailTakenError when another account has the e-mail
   * @throws UnauthenticatedError, AccountDisabledError when the owner's sign-in has ended since it was let in
   */
  async change(
    id: number,
    { email, password }: CredentialsChange,
    by?: Asker,
  ): Promise<AccountRow | undefined> {
    const passwordHash = password === undefined ? undefined : await this.passwords.hash(password);
    const change = this.revocations.inTransaction(async (db, revoke) => {
      if (by?.userId === id) checkNotEnded(by, await this.store.stateOf(id, db));
      if (passwordHash === undefined) {
        const account = await this.store.findById(id, db);
        if (account === undefined || account.email === email) return account;
      }
      revoke('account', id);
      if (passwordHash === undefined) return this.store.update(id, { email }, db);
      await this.endOthers(id, by, db);
      return this.store.update(id, { email, passwordHash, passwordChangedAt: new Date() }, db);
    });
    return unlessEmailTaken(change);
  }

  private async endOthers(id: number, by: Asker | undefined, db: Queries): Promise<void> {
    const kept = by?.userId === id ? signInOf(by) : undefined;
    if (!(await this.store.beginEpoch(id, kept, db))) return;
    await this.sessions.removeAllOf(id, kept, db);
    await this.audit.record({ kind: 'password-changed', accountId: id, actorId: by?.userId }, db);
  }

  /**
   * Exchanges credentials for an access token.
   *
   * @returns a compact JWS, or `undefined` when user and password do not belong together
   * @throws whatever {@link CredentialCheck.check} throws
   */
  async signIn(username: string, password: string, ip: string): Promise<string | undefined> {
    const account = await this.credentials.check(username, password, ip);
    return (
      account &&
      this.tokens.sign({ sub: account.id, username: account.email, sid: makeSid(account.tokenGeneration) })
    );
  }

  /**
   * The check behind every access token: does its account still stand, and its sign-in? Answered from memory; the
   * store is asked only about an account that is not there yet or has changed (D17).
   *
   * @returns the caller, at once or as a promise, or `undefined` when the account is gone, the e-mail was never its
   *          own, or the sign-in has been ended
   * @throws AccountDisabledError when an operator has closed the account
   * @throws RevocationsUnknownError when nobody can tell us what was ended
   */
  whoIs(claims: AccessClaims): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    this.view.assertFed();
    const state = this.accountStates.of(claims.sub);
    if (state instanceof Promise) return state.then((account) => this.checkState(account, claims));
    return this.checkState(state, claims);
  }

  private checkState(account: AccountState | null, claims: AccessClaims): SignedInUser | undefined {
    if (account === null || !wasKnownAs(account, claims)) return undefined;
    if (account.disabledAt !== null) throw new AccountDisabledError();
    const { username, sid, jti } = claims;
    if (isOfBefore(account, claims) || this.view.isRevoked(sid) || this.view.isRevoked(jti)) return undefined;
    return { userId: account.id, username, role: account.role, sid, jti };
  }
}

/** What a token's sign-in is called: a token that belongs to none is one of its own. */
function signInOf({ sid, jti }: { readonly sid?: string; readonly jti?: string }): string | undefined {
  return sid ?? jti;
}

/** Whether all tokens of the account have ended since, and this one's sign-in was not spared. */
function isOfBefore(
  { tokenGeneration, keptSession }: AccountState,
  signIn: { readonly sid?: string; readonly jti?: string },
): boolean {
  return (
    tokenGenerationOf(signIn.sid) < tokenGeneration &&
    (keptSession === null || signInOf(signIn) !== keptSession)
  );
}

/** Who was let in a moment ago may have been ended since: a new password must not spare such a sign-in. */
function checkNotEnded(asker: Asker, account: AccountState | undefined): void {
  if (account === undefined) throw new UnauthenticatedError();
  if (account.disabledAt !== null) throw new AccountDisabledError();
  if (isOfBefore(account, asker)) throw new UnauthenticatedError();
}

/** A token carries the e-mail of its day: one signed before the last change may name another. */
function wasKnownAs(account: AccountState, { username, iat }: AccessClaims): boolean {
  if (username === account.emailKey || emailKey(username) === account.emailKey) return true;
  const changedAt = account.emailChangedAt?.getTime();
  return changedAt !== undefined && iat !== undefined && iat * 1000 <= changedAt;
}

function unlessEmailTaken<T>(write: Promise<T>): Promise<T> {
  return mapUniqueViolation(
    'account_email_key_unique',
    write,
    (cause) => new EmailTakenError('another account has this e-mail', { cause }),
  );
}
