import type { ComparePassword, Passwords } from '@app/auth';
import type { AccountRow } from '../account/account.table';
import type { AccountsStore } from '../account/accounts.store';
import { addressSubject } from '../limits/attempt-subjects';
import type { AuditLog } from '../audit/audit-log';
import { auditFailure, checkEnabled } from './sign-in-failure';
import type { SignInLimits } from './sign-in-limits';
import type { SignInOrigin } from '../devices/sign-in-origin';
import type { VerifiedFactors, SignInFactors } from './sign-in-factors';

/** A sign-in whose credentials are right; nothing of it is recorded yet. */
export interface CheckedSignIn {
  /** As it was when the password was compared. */
  readonly account: AccountRow;
  readonly factors: VerifiedFactors;
  /** A new hash of the same password if the stored one has outdated parameters, or else `null`. */
  readonly passwordHash: string | null;
}

/** Checks username, password and the factors of the application, for every kind of sign-in. */
export class CredentialCheck {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly factors: SignInFactors,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Finds the account of a username and password. An unknown user costs the same work as a wrong password (D16). Failures are
   * counted and recorded.
   *
   * @returns `undefined` for wrong credentials
   * @throws AccountDisabledError if the credentials are right, but the account is disabled
   * @throws TooManyAttemptsError if the account or the address is locked out, for any password
   * @throws SignInOverloadError if the hashing queue is full or the deadline passes
   */
  async check(username: string, password: string, from: SignInOrigin): Promise<CheckedSignIn | undefined> {
    const origin = { kind: 'sign-in', source: addressSubject(from.ip) };
    this.passwords.checkCapacity(origin);
    await this.limits.checkAllowed(username, from.ip);
    const checked = await this.passwords.runQueued(
      (compare) => this.verify(compare, username, password, from),
      origin,
    );
    if (checked === undefined) return undefined;
    const { passwordHash } = checked.account;
    const isOutdated = this.passwords.needsRehash(passwordHash);
    return { ...checked, passwordHash: isOutdated ? await this.passwords.hash(password, origin) : null };
  }

  /** Runs in one slot of the queue, so that the writes of a login flood are bounded like its hashes. */
  private async verify(
    compare: ComparePassword,
    username: string,
    password: string,
    from: SignInOrigin,
  ): Promise<Omit<CheckedSignIn, 'passwordHash'> | undefined> {
    const account = await this.store.findByEmail(username);
    const factors = await this.limits.signIn(username, from.ip, async () => {
      const isEqual = await compare(account?.passwordHash, password);
      return isEqual && account !== undefined ? this.factors.verify(account, from) : undefined;
    });
    if (factors === undefined || account === undefined) {
      await auditFailure(this.audit, 'credentials', account?.id, from.ip);
      return undefined;
    }
    return { account: await checkEnabled(this.audit, account, from.ip), factors };
  }
}

/**
 * Whether the password is the same `before` and `now`. A rehash keeps the token generation; a new password increments it.
 */
export function isPasswordUnchanged(before: AccountRow, now: AccountRow): boolean {
  return now.tokenGeneration === before.tokenGeneration || now.passwordHash === before.passwordHash;
}
