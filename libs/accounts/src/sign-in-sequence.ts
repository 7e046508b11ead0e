import { HashingBusyError } from '@app/auth';
import type { AccountRow } from '@app/persistence';
import { accountsChannels, type SignInOutcome } from './channels';
import type { CredentialCheck } from './credential-check';
import { AccountDisabledError, TooManyAttemptsError } from './errors';
import type { SignInOrigin } from './sign-in-origin';
import type { Proofs } from './sign-in-proofs';
import type { SignInRecord } from './sign-in-record';

/** A sign-in for which tokens may be issued. */
export interface RecordedSignIn {
  readonly account: AccountRow;
  readonly proofs: Proofs;
}

/** When the last proof of a sign-in was given. */
export function provedAt({ proofs }: Pick<RecordedSignIn, 'proofs'>): Date {
  return (proofs.at(-1) ?? proofs[0]).at;
}

/** A sign-in until its tokens are issued: what it proves is checked, then recorded. */
export class SignInSequence {
  constructor(
    private readonly credentials: CredentialCheck,
    private readonly record: SignInRecord,
  ) {}

  /**
   * Signs in, and publishes how it ended.
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
    return account && { account, proofs: checked.proofs };
  }
}

/** Of an unavailable store, nothing: it is not how a sign-in ended. */
function publishRefusal(error: unknown): void {
  if (error instanceof AccountDisabledError) publish('disabled');
  else if (error instanceof TooManyAttemptsError || error instanceof HashingBusyError) publish('refused');
}

function publish(outcome: SignInOutcome): void {
  if (accountsChannels.signIn.hasSubscribers) accountsChannels.signIn.publish(outcome);
}
