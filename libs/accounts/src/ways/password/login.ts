import type { AccessTokens } from '@app/auth';
import { makeSid } from '../../access/sid';
import type { SignInOrigin } from '../../devices/sign-in-origin';
import { MfaRequiredError } from '../../errors';
import { amrOf, factorClaims, lastOf } from '../../factors/sign-in-factor';
import type { SignInSequence } from '../../sign-in/sign-in-sequence';
import type { PasswordCheck } from './password-check';

/** Sign-in without a session (`POST /auth/login`). */
export class Login {
  constructor(
    private readonly check: PasswordCheck,
    private readonly sequence: SignInSequence,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Exchanges credentials for an access token.
   *
   * @returns a compact JWS, or `undefined` for wrong credentials
   * @throws MfaRequiredError if the account requires a second factor
   * @throws the errors of {@link PasswordCheck.check} and {@link SignInSequence.begin}
   */
  async login(username: string, password: string, origin: SignInOrigin): Promise<string | undefined> {
    const signIn = await this.sequence.begin(() => this.check.check(username, password, origin), origin);
    if (signIn === undefined) return undefined;
    if ('pending' in signIn) throw new MfaRequiredError();
    const { account, factors } = signIn;
    return this.tokens.sign({
      sub: account.id,
      username: account.email,
      sid: makeSid(account.tokenGeneration),
      auth_time: Math.floor(lastOf(factors).at.getTime() / 1000),
      ...factorClaims(amrOf(factors)),
    });
  }
}
