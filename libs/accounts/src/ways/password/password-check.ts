import type { ComparePassword, Passwords } from '@app/auth';
import type { AccountRow } from '../../account/account.table';
import type { AccountsStore } from '../../account/accounts.store';
import type { SignInOrigin } from '../../devices/sign-in-origin';
import { addressSubject } from '../../limits/attempt-subjects';
import type { SignInLimits } from '../../sign-in/sign-in-limits';
import type { ProvenSignIn } from '../../sign-in/sign-in-record';

/** Checks username and password, and changes nothing but counters. */
export class PasswordCheck {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Finds the account of a username and password. An unknown user costs the same work as a wrong password (D16). Failures are
   * counted and recorded.
   *
   * @returns `undefined` for wrong credentials
   * @throws TooManyAttemptsError if the account or the address is locked out, for any password
   * @throws SignInOverloadError if the hashing queue is full or the deadline passes
   */
  async check(username: string, password: string, { ip }: SignInOrigin): Promise<ProvenSignIn | undefined> {
    const origin = { kind: 'sign-in', source: addressSubject(ip) };
    this.passwords.checkCapacity(origin);
    await this.limits.checkAllowed(username, ip);
    const account = await this.passwords.runQueued(
      (compare) => this.verify(compare, username, password, ip),
      origin,
    );
    if (account === undefined) return undefined;
    const isOutdated = account.disabledAt === null && this.passwords.needsRehash(account.passwordHash);
    const passwordHash = isOutdated ? await this.passwords.hash(password, origin) : null;
    return { account, factors: [{ kind: 'password', amr: ['pwd'], at: new Date() }], passwordHash };
  }

  /** Runs in one slot of the queue, so that the writes of a login flood are bounded like its hashes. */
  private async verify(
    compare: ComparePassword,
    username: string,
    password: string,
    ip: string,
  ): Promise<AccountRow | undefined> {
    const account = await this.store.findByEmail(username);
    return this.limits.signIn(username, ip, {
      run: async () => ((await compare(account?.passwordHash, password)) ? account : undefined),
      failure: { accountId: account?.id, reason: 'credentials' },
    });
  }
}
