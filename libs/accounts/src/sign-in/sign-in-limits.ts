import type { Queries } from '@app/persistence';
import {
  accountPolicy,
  addressPolicy,
  type AttemptPolicy,
  pairPolicy,
  type SignInRules,
  waitOf,
} from '../limits/attempt-policy';
import { accountSubject, addressSubject, pairSubject } from '../limits/attempt-subjects';
import type { AttemptsStore } from '../limits/attempts.store';
import type { AuditLog } from '../audit/audit-log';
import { TooManyAttemptsError } from '../errors';
import type { KnownDevices } from '../devices/known-devices';
import type { SignInFailure } from './sign-in-failure';

/** What is limited: an account at one address, an account over all addresses, an address for all accounts. */
type Limit = 'account' | 'account-overall' | 'address';

/** An attempt to sign in. */
interface Attempt<T> {
  /** Returns `undefined` for a failure. */
  readonly run: () => Promise<T | undefined>;
  /** The audit event of a failure. */
  readonly failure: SignInFailure;
  /** A step with counters of its own, such as `second factor`. */
  readonly step?: string;
}

/**
 * Limits failed sign-ins (D24), and records them. The counters are in the database, shared by all processes; an account that does not exist is
 * counted like one that does. Failures at one address lock the account at that address alone; many addresses together lock it
 * at those from which it did not sign in recently.
 */
export class SignInLimits {
  private readonly pair: AttemptPolicy;
  private readonly account: AttemptPolicy;
  private readonly address: AttemptPolicy;

  constructor(
    private readonly attempts: AttemptsStore,
    private readonly audit: AuditLog,
    private readonly knownDevices: KnownDevices,
    rules: SignInRules,
  ) {
    this.pair = pairPolicy(rules);
    this.account = accountPolicy(rules);
    this.address = addressPolicy(rules);
  }

  /**
   * Runs a sign-in attempt. It is counted before, so that concurrent attempts cannot exceed the limits, and the counters of
   * the account are reset on success.
   *
   * @throws TooManyAttemptsError without an attempt, if the account or the address is locked out
   */
  async signIn<T>(username: string, ip: string, { run, failure, step }: Attempt<T>): Promise<T | undefined> {
    await this.checkAllowed(username, ip, step);
    const subjects = subjectsOf(username, ip, step);
    const pair = await this.attempts.increment(subjects.pair, this.pair);
    if (pair === undefined) throw new TooManyAttemptsError(this.pair.waits[0]);
    const overall = await this.countOverall(username, ip, subjects.account, pair);
    const result = await run();
    if (result !== undefined) {
      await this.attempts.reset([subjects.pair, subjects.account]);
      return result;
    }
    if (pair >= this.pair.free) await this.auditLimit('account', ip);
    if (overall >= this.account.free) await this.auditLimit('account-overall', ip);
    await this.fail(failure, ip);
    return undefined;
  }

  /**
   * Records a failed sign-in, and counts it for its address. Beyond the limit of the address nothing is written.
   *
   * @throws TooManyAttemptsError if the address is locked out
   */
  async fail({ accountId, ...detail }: SignInFailure, ip: string): Promise<void> {
    const subject = addressSubject(ip);
    const count = await this.attempts.increment(subject, this.address);
    if (count === undefined) {
      const [row] = await this.attempts.read([subject]);
      throw new TooManyAttemptsError(waitOf(row, this.address, Date.now()));
    }
    await this.audit.record({ kind: 'sign-in-failed', accountId, ip, detail });
    if (count === this.address.free) await this.auditLimit('address', ip);
  }

  /**
   * Rejects early, before queueing for {@link signIn}.
   *
   * @throws TooManyAttemptsError if the account or the address is locked out
   */
  async checkAllowed(username: string, ip: string, step?: string): Promise<void> {
    const { pair, account } = subjectsOf(username, ip, step);
    const address = addressSubject(ip);
    const rows = await this.attempts.read([pair, account, address]);
    const now = Date.now();
    const wait = (subject: string, policy: AttemptPolicy) =>
      waitOf(
        rows.find((row) => row.subject === subject),
        policy,
        now,
      );
    const here = Math.max(wait(pair, this.pair), wait(address, this.address));
    if (here > 0) throw new TooManyAttemptsError(here);
    const overall = wait(account, this.account);
    if (overall > 0) await this.checkKnownAddress(username, ip, overall);
  }

  /** Lifts the locks of an account at an address and over all addresses. */
  async unlock(username: string, ip: string, db: Queries): Promise<void> {
    await this.attempts.reset([pairSubject(username, ip), accountSubject(username)], db);
  }

  /**
   * Counts the failure over all addresses, unless the address is over its own limit: the failures of a single address
   * never reach the limit over all addresses.
   *
   * @returns the count; 0 if it was not counted
   */
  private async countOverall(username: string, ip: string, subject: string, pair: number): Promise<number> {
    if (pair > this.pair.free) return 0;
    const count = await this.attempts.increment(subject, this.account);
    if (count === undefined) await this.checkKnownAddress(username, ip, this.account.waits[0]);
    return count ?? 0;
  }

  private async checkKnownAddress(username: string, ip: string, waitMs: number): Promise<void> {
    if (!(await this.knownDevices.hasAddress(username, ip))) throw new TooManyAttemptsError(waitMs);
  }

  private auditLimit(limit: Limit, ip: string): Promise<void> {
    return this.audit.record({ kind: 'rate-limit-exceeded', ip, detail: { limit } });
  }
}

function subjectsOf(username: string, ip: string, step: string | undefined) {
  const suffix = step === undefined ? '' : ` ${step}`;
  return {
    pair: `${pairSubject(username, ip)}${suffix}`,
    account: `${accountSubject(username)}${suffix}`,
  };
}
