import { inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AttemptRow } from '../limits/attempt.table';
import { Limiter } from '../limits/limiter';
import { accountSubject, addressSubject, pairSubject } from '../limits/attempt-subjects';
import { AttemptsStore } from '../limits/attempts.store';
import { AuditLog } from '../audit/audit-log';
import { TooManyAttemptsError } from '../errors';
import { KnownDevices } from '../devices/known-devices';
import { AccountsOptions } from '../options';

/** The limited subject: an account at an address, an account over all addresses, or an address for all accounts. */
type Limit = 'account' | 'account-overall' | 'address';

/** The lock times. They are long enough that guessing takes years, and short enough that nobody asks an operator. */
const locks = { firstLockSeconds: 60, longestLockSeconds: 900 };
/** The account failures over all addresses that lock it, for each that locks it at an address. */
const OVERALL = 10;

/** A failed sign-in, as the audit log has it. */
export interface SignInFailure {
  /** The account's id; absent for an unknown account. */
  readonly accountId?: number;
  /** The failed step. `credentials` is the first factor, `factor` the second factor. */
  readonly reason: 'credentials' | 'current-password' | 'disabled' | 'factor';
  /** The second factor's kind. */
  readonly factor?: string;
}

/** An attempt to sign in. */
export interface Attempt {
  /** The username as entered. */
  readonly username: string;
  /** The remote address. */
  readonly ip: string;
  /** A step with separate counters, such as `second factor`. */
  readonly step?: string;
}

/** The check that an attempt makes. */
interface Verification<T> {
  /** Returns `undefined` for a failure. */
  readonly run: () => Promise<T | undefined>;
  /** A failure's audit event. */
  readonly failure: SignInFailure;
}

/**
 * Limits failed sign-ins (D24), and records them. All processes share the counters in the database. An unknown account is
 * counted like an existing account. Failures at an address lock the account at that address alone. Failures at many addresses
 * together lock the account everywhere except at the addresses from which it signed in recently.
 *
 * The caller learns an attempt's outcome only after {@link countFailure} or {@link succeed}, which refuse it while the account
 * is locked. Concurrent attempts therefore get at most as many answers as consecutive attempts, and a success costs no write
 * before its transaction.
 */
@Injectable()
export class SignInLimits {
  private readonly pair: Limiter;
  private readonly account: Limiter;
  private readonly address: Limiter;

  constructor(
    private readonly attempts: AttemptsStore,
    private readonly audit: AuditLog,
    private readonly knownDevices: KnownDevices,
    { settings: { SIGN_IN_FAILURES: failures, SIGN_IN_ADDRESS_LIMIT: perAddress } }: AccountsOptions,
  ) {
    this.pair = new Limiter({ free: failures, ...locks }, attempts);
    this.account = new Limiter({ free: OVERALL * failures, ...locks }, attempts);
    this.address = new Limiter(perAddress, attempts);
  }

  /** The time for which failures count, in milliseconds. */
  get forgetAfterMs(): number {
    return Math.max(...[this.pair, this.account, this.address].map(({ policy }) => policy.forgetAfter));
  }

  /**
   * Runs an attempt that needs no transaction for its success.
   *
   * @throws TooManyAttemptsError if the account or the address is locked out
   */
  async signIn<T>(attempt: Attempt, { run, failure }: Verification<T>): Promise<T | undefined> {
    await this.checkAllowed(attempt);
    const result = await run();
    if (result === undefined) await this.countFailure(attempt, failure);
    else await inTransaction(this.attempts.db, (db) => this.succeed(attempt, db));
    return result;
  }

  /**
   * Rejects a locked-out attempt early, before it is verified.
   *
   * @param counters the counters for {@link subjectsOf}, if they were read
   * @throws TooManyAttemptsError if the account or the address is locked out
   */
  async checkAllowed(attempt: Attempt, counters?: readonly AttemptRow[]): Promise<void> {
    const rows = counters ?? (await this.attempts.read(subjectsOf(attempt)));
    await this.check(attempt, rows, this.attempts.db);
  }

  /**
   * Counts a failed attempt, and records it.
   *
   * @throws TooManyAttemptsError if the account or the address is locked out: the failure must not be told then
   */
  async countFailure(attempt: Attempt, failure: SignInFailure): Promise<void> {
    const [ofPair, ofAccount] = subjectsOf(attempt);
    const pair = await this.pair.increment(ofPair);
    if (pair === undefined) throw new TooManyAttemptsError(this.pair.policy.waits[0]);
    const overall = await this.countOverall(attempt, ofAccount, pair);
    if (pair >= this.pair.policy.free) await this.auditLimit('account', attempt.ip);
    if (overall >= this.account.policy.free) await this.auditLimit('account-overall', attempt.ip);
    await this.fail(failure, attempt.ip);
  }

  /**
   * Resets an account's counters, in the transaction that records its sign-in.
   *
   * @throws TooManyAttemptsError if the account is locked out; the caller must not learn that the attempt succeeded
   */
  async succeed(attempt: Attempt, db: Queries): Promise<void> {
    const [pair, account] = subjectsOf(attempt);
    await this.check(attempt, await this.attempts.remove([pair, account], db), db);
  }

  /**
   * Records a failed sign-in, and counts it for its address. Beyond the address limit nothing is written.
   *
   * @throws TooManyAttemptsError if the address is locked out
   */
  async fail({ accountId, ...detail }: SignInFailure, ip: string): Promise<void> {
    const subject = addressSubject(ip);
    const count = await this.address.increment(subject);
    if (count === undefined) {
      const [row] = await this.attempts.read([subject]);
      throw new TooManyAttemptsError(this.address.waitOf(row));
    }
    await this.audit.record({ kind: 'sign-in-failed', accountId, ip, detail });
    if (count === this.address.policy.free) await this.auditLimit('address', ip);
  }

  /** Lifts an account's locks at an address and over all addresses. */
  async unlock(username: string, ip: string, db: Queries): Promise<void> {
    const [pair, account] = subjectsOf({ username, ip });
    await this.attempts.remove([pair, account], db);
  }

  private async check(attempt: Attempt, rows: readonly AttemptRow[], db: Queries): Promise<void> {
    const now = Date.now();
    const [pair, account, address] = subjectsOf(attempt);
    const rowOf = (subject: string) => rows.find((row) => row.subject === subject);
    const here = Math.max(this.pair.waitOf(rowOf(pair), now), this.address.waitOf(rowOf(address), now));
    if (here > 0) throw new TooManyAttemptsError(here);
    const overall = this.account.waitOf(rowOf(account), now);
    if (overall > 0) await this.checkKnownAddress(attempt, overall, db);
  }

  /**
   * Counts the failure over all addresses, unless this address is over its limit, so that it alone never reaches that limit.
   *
   * @returns the count; 0 if the failure is skipped
   */
  private async countOverall(attempt: Attempt, subject: string, pair: number): Promise<number> {
    if (pair > this.pair.policy.free) return 0;
    const count = await this.account.increment(subject);
    if (count === undefined)
      await this.checkKnownAddress(attempt, this.account.policy.waits[0], this.attempts.db);
    return count ?? 0;
  }

  private async checkKnownAddress({ username, ip }: Attempt, waitMs: number, db: Queries): Promise<void> {
    if (!(await this.knownDevices.hasAddress(username, ip, db))) throw new TooManyAttemptsError(waitMs);
  }

  private auditLimit(limit: Limit, ip: string): Promise<void> {
    return this.audit.record({ kind: 'rate-limit-exceeded', ip, detail: { limit } });
  }
}

/** Returns an attempt's counters: for the account at the address, for the account, and for the address. */
export function subjectsOf({ username, ip, step }: Attempt): [string, string, string] {
  const suffix = step === undefined ? '' : ` ${step}`;
  return [
    `${pairSubject(username, ip)}${suffix}`,
    `${accountSubject(username)}${suffix}`,
    addressSubject(ip),
  ];
}
