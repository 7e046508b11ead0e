import { Passwords } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { AccountsStore } from '../account/accounts.store';
import { CurrentPasswordError } from '../errors';
import { addressSubject } from '../limits/attempt-subjects';
import { SignInLimits } from '../sign-in/sign-in-limits';
import type { Actor } from '../access/actor';
import { AccountsOptions } from '../options';

/** The address for an operator at a command line, who has no remote address. */
const NO_ADDRESS = '';

/** Verifies the current password before a user sets a password. */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly options: AccountsOptions,
  ) {}

  /**
   * Compares a password with the caller's, within the limits for failed sign-ins. A wrong password is counted and recorded.
   *
   * @param password the caller's password; the caller may be an administrator who sets a user's password
   * @throws CurrentPasswordError if the password is wrong, or missing where it is required
   * @throws TooManyAttemptsError, SignInOverloadError
   */
  async check(
    password: string | undefined,
    { id = 0, client: { ip } = { ip: NO_ADDRESS } }: Actor,
  ): Promise<void> {
    if (password === undefined) {
      if (this.options.settings.PASSWORD_CHANGE === 'current') throw new CurrentPasswordError('missing');
      return;
    }
    const account = await this.store.findById(id);
    const email = account?.email ?? '';
    const origin = { kind: 'sign-in', source: addressSubject(ip) };
    this.passwords.checkCapacity(origin);
    const attempt = { username: email, ip };
    await this.limits.checkAllowed(attempt);
    const isRight = await this.passwords.runQueued(
      (compare) =>
        this.limits.signIn(attempt, {
          run: async () => (await compare(account?.passwordHash, password)) || undefined,
          failure: { accountId: account?.id, reason: 'current-password' },
        }),
      origin,
    );
    if (!isRight) throw new CurrentPasswordError('wrong');
  }
}
