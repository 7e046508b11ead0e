import { AccountsStore, PendingSignIns, type SignIn } from '@app/accounts';
import { UnauthenticatedError } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { PasskeyVerifier } from './passkey-verifier';
import { PasskeysStore } from './passkeys.store';

/** Sign-in by a passkey, which names the account. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly store: PasskeysStore,
    private readonly pending: PendingSignIns,
    private readonly verifier: PasskeyVerifier,
  ) {}

  /**
   * Returns the options for asking for a passkey, in a sign-in without a user name or in a pending second step.
   *
   * @param ip the request's remote address
   * @throws UnauthenticatedError for an invalid token
   */
  async begin(mfaToken: string | undefined, ip: string): Promise<object> {
    if (mfaToken === undefined) return this.verifier.assertionOptions({ for: 'sign-in' });
    const signIn = await this.pending.find(mfaToken, ip);
    if (signIn === undefined) throw new UnauthenticatedError();
    const { id: accountId } = signIn.account;
    return this.verifier.assertionOptions(
      { for: 'second-factor', accountId },
      await this.store.listOf(accountId),
    );
  }

  /**
   * Verifies a sign-in that has no user name. The passkey has verified the user, so a second factor is unnecessary.
   *
   * @returns `undefined` if it is rejected
   */
  async prove(credential: object): Promise<SignIn | undefined> {
    const assertion = await this.verifier.verifyAssertion(credential, { for: 'sign-in' });
    const account = assertion && (await this.accounts.findById(assertion.passkey.accountId));
    if (assertion === undefined || account === undefined) return undefined;
    return { account, factors: [{ kind: 'passkey', amr: assertion.amr, at: new Date() }] };
  }
}
