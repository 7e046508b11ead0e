import { type ComparePassword, HashingBusyError, type Passwords } from '@app/auth';
import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import { addressSubject } from './attempt-subjects';
import type { AuditLog } from './audit-log';
import { accountsChannels, type SignInOutcome } from './channels';
import { AccountDisabledError, TooManyAttemptsError } from './errors';
import type { FamiliarAddresses } from './familiar-addresses';
import type { SignInLimits } from './sign-in-limits';

/** Checks username and password for every kind of sign-in. */
export class CredentialCheck {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly familiar: FamiliarAddresses,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Finds the account of a username and password, and records the sign-in. An unknown user costs the same work as a wrong
   * password (D16).
   *
   * @param ip remote address, stored as that of the last sign-in
   * @returns `undefined` for wrong credentials
   * @throws AccountDisabledError if the credentials are right, but the account is disabled
   * @throws TooManyAttemptsError if the account or the address is locked out, for any password
   * @throws HashingBusyError if the hashing queue is full or the deadline passes
   */
  async check(username: string, password: string, ip: string): Promise<AccountRow | undefined> {
    try {
      const account = await this.checkQueued(username, password, ip);
      publish(account === undefined ? 'wrong-credentials' : 'succeeded');
      return account;
    } catch (error) {
      publishRefusal(error);
      throw error;
    }
  }

  private async checkQueued(username: string, password: string, ip: string): Promise<AccountRow | undefined> {
    const origin = { kind: 'sign-in', source: addressSubject(ip) };
    this.passwords.checkCapacity(origin);
    await this.limits.checkAllowed(username, ip);
    const account = await this.passwords.runQueued(
      (compare) => this.compare(compare, username, password, ip),
      origin,
    );
    return account && this.recordSignIn(account, password, ip);
  }

  /** Runs in one slot of the queue, so that the writes of a login flood are bounded like its hashes. */
  private async compare(
    compare: ComparePassword,
    username: string,
    password: string,
    ip: string,
  ): Promise<AccountRow | undefined> {
    const account = await this.store.findByEmail(username);
    const matching = await this.limits.signIn(username, ip, async () =>
      (await compare(account?.passwordHash, password)) ? account : undefined,
    );
    if (matching !== undefined) return this.checkEnabled(matching, ip);
    await this.auditFailure('credentials', account?.id, ip);
    return undefined;
  }

  /** The password was compared outside the transaction: the account may have changed meanwhile. */
  private async recordSignIn(
    account: AccountRow,
    password: string,
    ip: string,
  ): Promise<AccountRow | undefined> {
    const passwordHash = await this.rehash(account.passwordHash, password, ip);
    const updated = await inTransaction(this.db, async (db) => {
      const now = await this.store.findById(account.id, db);
      if (now === undefined || !isPasswordUnchanged(account, now)) return undefined;
      if (now.disabledAt !== null) return now;
      await this.audit.record({ kind: 'sign-in', accountId: account.id, ip }, db);
      await this.familiar.record(account.id, ip, db);
      return this.store.recordSignIn(account.id, { ip, passwordHash }, db);
    });
    return updated && this.checkEnabled(updated, ip);
  }

  private async checkEnabled(account: AccountRow, ip: string): Promise<AccountRow> {
    if (account.disabledAt === null) return account;
    await this.auditFailure('disabled', account.id, ip);
    throw new AccountDisabledError();
  }

  private auditFailure(
    reason: 'credentials' | 'disabled',
    accountId: number | undefined,
    ip: string,
  ): Promise<void> {
    return this.audit.record({ kind: 'sign-in-failed', accountId, ip, detail: { reason } });
  }

  /** @returns a new hash if the stored one has outdated parameters, or else `null` */
  private async rehash(hash: string, password: string, ip: string): Promise<string | null> {
    return this.passwords.needsRehash(hash)
      ? this.passwords.hash(password, { kind: 'sign-in', source: addressSubject(ip) })
      : null;
  }
}

/**
 * Whether the password is the same `before` and `now`. A rehash keeps the token generation; a new password increments it.
 */
export function isPasswordUnchanged(before: AccountRow, now: AccountRow): boolean {
  return now.tokenGeneration === before.tokenGeneration || now.passwordHash === before.passwordHash;
}

/** Of an unavailable store, nothing: it is not how a sign-in ended. */
function publishRefusal(error: unknown): void {
  if (error instanceof AccountDisabledError) publish('disabled');
  else if (error instanceof TooManyAttemptsError || error instanceof HashingBusyError) publish('refused');
}

function publish(outcome: SignInOutcome): void {
  if (accountsChannels.signIn.hasSubscribers) accountsChannels.signIn.publish(outcome);
}
