import { type AccessTokens, MAX_CACHED_CHARACTERS, MAX_CACHED_TOKENS } from '../tokens/access-tokens';
import { BoundedCache } from '../tokens/bounded-cache';
import type { AccessClaims } from '../tokens/claims';
import { isSentOnce } from './headers';
import type { AuthRequest, Strategy } from './strategy';

/** Options of {@link bearerStrategy}. */
export interface BearerStrategyOptions {
  /** The name for `@UseStrategy()`. */
  readonly name: string;
  readonly tokens: AccessTokens;
  /** Looks up a valid token's account. It returns the caller, `null` or `undefined` (401), or a promise. It may throw. */
  readonly check: (claims: AccessClaims, request: AuthRequest) => unknown;
}

/** A strategy that reads `Authorization: Bearer`. */
export interface BearerStrategy extends Strategy {
  readonly tokens: AccessTokens;
  /** Authenticates a token that was already read, as `authenticate` does. */
  callerOf(token: string, request: AuthRequest): unknown;
}

/** Authenticates by an access token in the `Authorization: Bearer` header. */
export function bearerStrategy({ name, tokens, check }: BearerStrategyOptions): BearerStrategy {
  // The tokens of headers that had a valid one: to look one up costs less than to read it.
  const tokensByHeader = new BoundedCache<string>(MAX_CACHED_TOKENS);
  const callerOf = (token: string, request: AuthRequest): unknown => {
    const claims = tokens.verify(token);
    return claims && check(claims, request);
  };
  return {
    name,
    tokens,
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    callerOf,
    authenticate(request) {
      const { authorization = '' } = request.headers;
      const remembered = tokensByHeader.get(authorization);
      if (remembered !== undefined && isSentOnce('authorization', request.rawHeaders))
        return callerOf(remembered, request);
      const token = bearerToken(request);
      const caller = token === undefined ? undefined : callerOf(token, request);
      if (token !== undefined && caller && authorization.length <= MAX_CACHED_CHARACTERS)
        tokensByHeader.set(authorization, token);
      return caller;
    },
  };
}

/** Matches RFC 6750 §2.1: the scheme in any case, spaces, a `b64token`. The flag `i` would cost more than the remaining check. */
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Reads a request's bearer token.
 *
 * @returns `undefined` unless there is exactly 1 `Authorization` header, with a single bearer token
 */
export function bearerToken({ headers, rawHeaders }: AuthRequest): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined || !isSentOnce('authorization', rawHeaders)) return undefined;
  return BEARER.test(authorization) ? authorization.slice(authorization.lastIndexOf(' ') + 1) : undefined;
}
