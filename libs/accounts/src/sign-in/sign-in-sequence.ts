import { SignInOverloadError } from '@app/auth';
import type { AccountRow } from '../account/account.table';
import { accountsChannels, type SignInOutcome } from '../channels';
import type { CredentialCheck } from './credential-check';
import { AccountDisabledError, TooManyAttemptsError } from '../errors';
import type { SignInOrigin } from '../devices/sign-in-origin';
import type { VerifiedFactors } from './sign-in-factors';
import type { SignInRecord } from './sign-in-record';

/** A sign-in for which tokens may be issued. */
export interface RecordedSignIn {
  readonly account: AccountRow;
  readonly factors: VerifiedFactors;
}

/** When the last factor of a sign-in was verified. */
export function verifiedAt({ factors }: Pick<RecordedSignIn, 'factors'>): Date {
  return (factors.at(-1) ?? factors[0]).at;
}

/** A sign-in until its tokens are issued: its credentials are checked, then it is recorded. */
export class SignInSequence {
  constructor(
    private readonly credentials: CredentialCheck,
    private readonly record: SignInRecord,
  ) {}

  /**
   * Signs in, and publishes the outcome.
   *
   * @returns `undefined` for wrong credentials
   * @throws the errors of {@link CredentialCheck.check} and of the factors
   */
  async run(username: string, password: string, origin: SignInOrigin): Promise<RecordedSignIn | undefined> {
    try {
      const signIn = await this.checkAndRecord(username, password, origin);
      publish(signIn === undefined ? 'wrong-credentials' : 'succeeded');
      return signIn;
    } catch (error) {
      publishRefusal(error);
      throw error;
    }
  }

  private async checkAndRecord(
    username: string,
    password: string,
    origin: SignInOrigin,
  ): Promise<RecordedSignIn | undefined> {
    const checked = await this.credentials.check(username, password, origin);
    const account = checked && (await this.record.record(checked, origin));
    return account && { account, factors: checked.factors };
  }
}

/** Not for an unavailable store, which is no outcome of a sign-in. */
function publishRefusal(error: unknown): void {
  if (error instanceof AccountDisabledError) publish('disabled');
  else if (error instanceof TooManyAttemptsError || error instanceof SignInOverloadError) publish('refused');
}

function publish(outcome: SignInOutcome): void {
  if (accountsChannels.signIn.hasSubscribers) accountsChannels.signIn.publish(outcome);
}
