import { AccessTokens } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { makeSid } from '../access/sid';
import type { Client } from '../devices/client';
import { MfaRequiredError } from '../errors';
import type { SignIn } from '../sign-in/sign-in';
import { amrOf, factorClaims, lastOf } from '../sign-in/sign-in-factor';
import { SignInSequence } from '../sign-in/sign-in-sequence';
import { PasswordCheck } from './password-check';

/** Sign-in without a session (`POST /auth/login`). */
@Injectable()
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
  async login(username: string, password: string, client: Client): Promise<string | undefined> {
    const prove = () => this.check.check(username, password, client.ip);
    const result = await this.sequence.begin<SignIn, 'held'>(prove, client, {
      issue: async (value) => ({ value }),
      hold: async () => 'held',
    });
    if (result === 'held') throw new MfaRequiredError();
    return result && this.tokenOf(result);
  }

  private tokenOf({ account, factors }: SignIn): string {
    return this.tokens.sign({
      sub: account.id,
      username: account.email,
      sid: makeSid(account.tokenGeneration),
      auth_time: Math.floor(lastOf(factors).at.getTime() / 1000),
      ...factorClaims(amrOf(factors)),
    });
  }
}
