import { accountPolicy, addressPolicy, type AttemptPolicy, type SignInRules, waitOf } from './attempt-policy';
import { accountSubject, addressSubject } from './attempt-subjects';
import type { AttemptsStore } from './attempts.store';
import type { AuditLog } from './audit-log';
import { TooManyAttemptsError } from './errors';

/**
 * Limits failed sign-ins by account and by address. The counters are in the database, shared by all processes; an account
 * that does not exist is counted like one that does.
 */
export class SignInLimits {
  private readonly account: AttemptPolicy;
  private readonly address: AttemptPolicy;

  constructor(
    private readonly attempts: AttemptsStore,
    private readonly audit: AuditLog,
    rules: SignInRules,
  ) {
    this.account = accountPolicy(rules);
    this.address = addressPolicy(rules);
  }

  /**
   * Runs a sign-in attempt. It is counted before, so that concurrent attempts cannot exceed the limit, and the counter of the
   * account is reset on success.
   *
   * @param attempt returns `undefined` for a failure
   * @throws TooManyAttemptsError without an attempt, if the account or the address is locked out
   */
  async signIn<T>(
    username: string,
    ip: string,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [account, address] = [accountSubject(username), addressSubject(ip)];
    await this.checkCounts(account, address);
    const count = await this.attempts.increment(account, this.account);
    if (count === undefined) throw new TooManyAttemptsError(this.account.waits[0]);
    const result = await attempt();
    if (result !== undefined) await this.attempts.reset(account);
    else await this.failed(count, ip);
    return result;
  }

  /**
   * Rejects early, before queueing for {@link signIn}.
   *
   * @throws TooManyAttemptsError if the account or the address is locked out
   */
  checkAllowed(username: string, ip: string): Promise<void> {
    return this.checkCounts(accountSubject(username), addressSubject(ip));
  }

  private async checkCounts(account: string, address: string): Promise<void> {
    const now = Date.now();
    const rows = await this.attempts.read([address, account]);
    const waits = rows.map((row) => waitOf(row, row.subject === address ? this.address : this.account, now));
    const wait = Math.max(0, ...waits);
    if (wait > 0) throw new TooManyAttemptsError(wait);
  }

  private async failed(count: number, ip: string): Promise<void> {
    if (count >= this.account.free) await this.auditLimit('account', ip);
    await this.countAddress(ip);
  }

  private async countAddress(ip: string): Promise<void> {
    const count = await this.attempts.increment(addressSubject(ip), this.address);
    if (count === this.address.free) await this.auditLimit('address', ip);
  }

  private auditLimit(limit: 'account' | 'address', ip: string): Promise<void> {
    return this.audit.record({ kind: 'limit-hit', ip, detail: { limit } });
  }
}
