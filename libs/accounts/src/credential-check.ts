import type { ComparePassword, Passwords } from '@app/auth';
import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import type { AuditLog } from './audit-log';
import { AccountDisabledError } from './errors';
import type { SignInLimits } from './sign-in-limits';

/** The one place in which a password is held against an account, whatever is given in exchange for it. */
export class CredentialCheck {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Finds the account that a username and a password belong to, and writes down where they came from. An unknown
   * user costs the same work as a wrong password, so that time tells nothing (D16).
   *
   * @param ip where the request came from, kept as the account's last sign-in
   * @returns `undefined` when user and password do not belong together
   * @throws AccountDisabledError when they do, but an operator has closed the account
   * @throws TooManyAttemptsError when the account or the address has to wait, whether or not the password is right
   * @throws HashingBusyError when the password could not be looked at in time
   */
  async check(username: string, password: string, ip: string): Promise<AccountRow | undefined> {
    this.passwords.checkCapacity();
    await this.limits.checkAllowed(username, ip);
    const account = await this.passwords.runQueued((compare) => this.prove(compare, username, password, ip));
    return account && this.welcome(account, password, ip);
  }

  /** All in one turn: what a flood writes is bounded by what it hashes. */
  private async prove(
    compare: ComparePassword,
    username: string,
    password: string,
    ip: string,
  ): Promise<AccountRow | undefined> {
    const account = await this.store.findByEmail(username);
    const proven = await this.limits.signIn(username, ip, async () =>
      (await compare(account?.passwordHash, password)) ? account : undefined,
    );
    if (proven !== undefined) return this.unlessDisabled(proven, ip);
    await this.tellFailure('credentials', account?.id, ip);
    return undefined;
  }

  /** The password was looked at outside the transaction: meanwhile much may have happened to the account. */
  private async welcome(account: AccountRow, password: string, ip: string): Promise<AccountRow | undefined> {
    const passwordHash = await this.renewed(account.passwordHash, password);
    const welcomed = await inTransaction(this.db, async (db) => {
      const now = await this.store.findById(account.id, db);
      if (now === undefined || !isStillProven(account, now)) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record({ kind: 'sign-in', accountId: account.id, ip }, db);
      return this.store.update(account.id, { passwordHash, lastLoginIp: ip, lastLoginAt: new Date() }, db);
    });
    return welcomed && this.unlessDisabled(welcomed, ip);
  }

  private async unlessDisabled(account: AccountRow, ip: string): Promise<AccountRow> {
    if (account.disabledAt === null) return account;
    await this.tellFailure('disabled', account.id, ip);
    throw new AccountDisabledError();
  }

  private tellFailure(
    reason: 'credentials' | 'disabled',
    accountId: number | undefined,
    ip: string,
  ): Promise<void> {
    return this.audit.record({ kind: 'sign-in-failed', accountId, ip, detail: { reason } });
  }

  /** A hash made with other parameters than today's is made anew while the password is at hand. */
  private async renewed(hash: string, password: string): Promise<string | undefined> {
    return this.passwords.needsRehash(hash) ? this.passwords.hash(password) : undefined;
  }
}

/**
 * Whether the password that was right for an account `before` is right for it `now`. Of its own a hash is only ever
 * renewed; a new password begins another generation of tokens.
 */
export function isStillProven(before: AccountRow, now: AccountRow): boolean {
  return now.tokenGeneration === before.tokenGeneration || now.passwordHash === before.passwordHash;
}
