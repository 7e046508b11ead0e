import { accountPolicy, addressPolicy, type AttemptPolicy, type SignInRules, waitOf } from './attempt-policy';
import { accountSubject, addressSubject } from './attempt-subjects';
import type { AttemptsStore } from './attempts.store';
import type { AuditLog } from './audit-log';
import { TooManyAttemptsError } from './errors';

/**
 * Stands before everything that somebody could try until it fits. Counts are in the store, so that all programs on
 * it refuse as one; an account that does not exist is counted like one that does.
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
   * Lets somebody try to prove that an account is theirs. Counted before the trial, so that many at once have no more
   * tries than one after the other; forgotten when it succeeds.
   *
   * @param trial its result, or `undefined` for a failure
   * @throws TooManyAttemptsError without a trial, when the account or the address has to wait
   */
  async signIn<T>(username: string, ip: string, trial: () => Promise<T | undefined>): Promise<T | undefined> {
    const [who, where] = [accountSubject(username), addressSubject(ip)];
    await this.checkCounts(who, where);
    const count = await this.attempts.charge(who, this.account);
    if (count === undefined) throw new TooManyAttemptsError(this.account.waits[0]);
    const result = await trial();
    if (result !== undefined) await this.attempts.forget(who);
    else await this.failed(count, ip);
    return result;
  }

  /**
   * Spares everybody the queue for a trial that {@link signIn} would not let happen.
   *
   * @throws TooManyAttemptsError when the account or the address has to wait
   */
  checkAllowed(username: string, ip: string): Promise<void> {
    return this.checkCounts(accountSubject(username), addressSubject(ip));
  }

  private async checkCounts(who: string, where: string): Promise<void> {
    const now = Date.now();
    const rows = await this.attempts.read([where, who]);
    const waits = rows.map((row) => waitOf(row, row.subject === where ? this.address : this.account, now));
    const wait = Math.max(0, ...waits);
    if (wait > 0) throw new TooManyAttemptsError(wait);
  }

  private async failed(count: number, ip: string): Promise<void> {
    if (count >= this.account.free) await this.tell('account', ip);
    await this.countAddress(ip);
  }

  private async countAddress(ip: string): Promise<void> {
    const count = await this.attempts.charge(addressSubject(ip), this.address);
    if (count === this.address.free) await this.tell('address', ip);
  }

  private tell(limit: 'account' | 'address', ip: string): Promise<void> {
    return this.audit.record({ kind: 'limit-hit', ip, detail: { limit } });
  }
}
