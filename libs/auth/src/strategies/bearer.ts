import type { AccessTokens } from '../tokens/access-tokens';
import type { AccessClaims } from '../tokens/claims';
import { isSentOnce } from './headers';
import type { AuthRequest, Strategy } from './strategy';

/** What tells one kind of bearer token from another. */
export interface BearerStrategyOptions {
  /** What `@UseStrategy()` calls it. */
  readonly name: string;
  readonly tokens: AccessTokens;
  /**
   * The application's word on a token that is valid in itself: the caller, or `null` or `undefined` (401), or a
   * promise of either. May throw.
   */
  readonly check: (claims: AccessClaims, request: AuthRequest) => unknown;
}

/** A strategy that reads `Authorization: Bearer`. */
export interface BearerStrategy extends Strategy {
  readonly tokens: AccessTokens;
}

/** Tells callers by the token in their one `Authorization: Bearer` header. */
export function bearerStrategy({ name, tokens, check }: BearerStrategyOptions): BearerStrategy {
  return {
    name,
    tokens,
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    authenticate(request) {
      const token = bearerToken(request);
      const claims = token === undefined ? undefined : tokens.verify(token);
      return claims && check(claims, request);
    },
  };
}

/** RFC 6750 §2.1: a scheme in any case, spaces, one `b64token`. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the token of a request.
 *
 * @returns `undefined` unless there is exactly one `Authorization` header and it holds one bearer token
 */
export function bearerToken({ headers, rawHeaders }: AuthRequest): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined || !isSentOnce('authorization', rawHeaders)) return undefined;
  return BEARER.exec(authorization)?.[1];
}
