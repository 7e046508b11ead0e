import { UnauthenticatedError } from '@app/auth';
import type { FastifyReply } from 'fastify';
import type { MfaToken } from './session-sign-in';
import type { TokenPair } from './session-token-issuer';
import type { MfaRequired, SessionTokens } from './sessions.dto';

/**
 * Returns the response body after a first factor. The status is 200 if a second factor is pending.
 *
 * @throws UnauthenticatedError for every invalid credential (D16)
 */
export function sendSignIn(
  signIn: TokenPair | MfaToken | undefined,
  reply: FastifyReply,
): SessionTokens | MfaRequired {
  if (signIn === undefined || 'accessToken' in signIn) return tokensOf(signIn);
  void reply.status(200);
  return { mfa_required: true, factors: [...signIn.factors], mfa_token: signIn.mfaToken };
}

/** @throws UnauthenticatedError for every invalid credential or token (D16) */
export function tokensOf(pair: TokenPair | undefined): SessionTokens {
  if (pair === undefined) throw new UnauthenticatedError();
  const { accessToken, refreshToken, expiresIn } = pair;
  return { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn };
}
