import type { AccessTokens } from '@app/auth';
import { makeSid } from '../access/sid';
import type { SignInOrigin } from '../devices/sign-in-origin';
import { verifiedAt, type SignInSequence } from './sign-in-sequence';

/** Sign-in without a session (`POST /auth/login`). */
export class SignIn {
  constructor(
    private readonly sequence: SignInSequence,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Exchanges credentials for an access token.
   *
   * @returns a compact JWS, or `undefined` for wrong credentials
   * @throws the errors of {@link SignInSequence.run}
   */
  async login(username: string, password: string, origin: SignInOrigin): Promise<string | undefined> {
    const signIn = await this.sequence.run(username, password, origin);
    if (signIn === undefined) return undefined;
    const { id, email, tokenGeneration } = signIn.account;
    const sid = makeSid(tokenGeneration);
    const auth_time = Math.floor(verifiedAt(signIn).getTime() / 1000);
    return this.tokens.sign({ sub: id, username: email, sid, auth_time });
  }
}
