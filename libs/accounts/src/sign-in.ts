import type { AccessTokens } from '@app/auth';
import type { CredentialCheck } from './credential-check';
import { makeSid } from './sessions/sid';

/** Sign-in without a session (`POST /auth/login`). */
export class SignIn {
  constructor(
    private readonly credentials: CredentialCheck,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Exchanges credentials for an access token.
   *
   * @returns a compact JWS, or `undefined` for wrong credentials
   * @throws the errors of {@link CredentialCheck.check}
   */
  async login(username: string, password: string, ip: string): Promise<string | undefined> {
    const account = await this.credentials.check(username, password, ip);
    if (account === undefined) return undefined;
    const { id, email, tokenGeneration } = account;
    const sid = makeSid(tokenGeneration);
    return this.tokens.sign({ sub: id, username: email, sid, auth_time: Math.floor(Date.now() / 1000) });
  }
}
