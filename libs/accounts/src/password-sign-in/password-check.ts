import { type ComparePassword, Passwords } from '@app/auth';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { SignIn } from '../sign-in/sign-in';
import { addressSubject } from '../limits/attempt-subjects';
import { SignInAccounts } from '../sign-in/sign-in-accounts';
import { type Attempt, SignInLimits, subjectsOf } from '../sign-in/sign-in-limits';

/** Checks username and password, and changes nothing but counters. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly accounts: SignInAccounts,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Finds the account for a username and password. An unknown user costs the same work as a wrong password (D16). Failures are
   * counted and recorded.
   *
   * @returns `undefined` for wrong credentials
   * @throws TooManyAttemptsError if the account or the address is locked out, for any password
   * @throws SignInOverloadError if the hashing queue is full or the deadline passes
   */
  async check(username: string, password: string, ip: string): Promise<SignIn | undefined> {
    const origin = { kind: 'sign-in', source: addressSubject(ip) };
    const attempt = { username, ip };
    this.passwords.checkCapacity(origin);
    await this.limits.checkAllowed(attempt);
    const signIn = await this.passwords.runQueued(
      (compare) => this.verify(compare, attempt, password),
      origin,
    );
    if (signIn === undefined) return undefined;
    const { account, state } = signIn;
    const isOutdated = account.disabledAt === null && this.passwords.needsRehash(account.passwordHash);
    const passwordHash = isOutdated ? await this.passwords.hash(password, origin) : null;
    return { ...signIn, state: { ...state, passwordHash } };
  }

  /** Verifies the password in a single queue slot, so that a login flood's writes are bounded like its hashes. */
  private async verify(
    compare: ComparePassword,
    attempt: Attempt,
    password: string,
  ): Promise<SignIn | undefined> {
    const { account, enrolled, attempts } = await this.accounts.findByEmail(
      attempt.username,
      subjectsOf(attempt),
    );
    await this.limits.checkAllowed(attempt, attempts);
    const isRight = await compare(account?.passwordHash, password);
    if (account === undefined || !isRight) {
      await this.limits.countFailure(attempt, { accountId: account?.id, reason: 'credentials' });
      return undefined;
    }
    const use = (db: Queries) => this.limits.succeed(attempt, db);
    return {
      account,
      factors: [{ kind: 'password', amr: ['pwd'], at: new Date() }],
      state: { enrolled, use },
    };
  }
}
