import { isSentOnce } from './headers';
import type { AuthRequest, Strategy } from './strategy';

/** Options of {@link apiKeyStrategy}. */
export interface ApiKeyStrategyOptions {
  /** The name for `@UseStrategy()`. */
  readonly name: string;
  /** Default: `X-API-Key`. */
  readonly header?: string;
  /** Whether its callers may have `scopes`. */
  readonly hasScopes?: boolean;
  /**
   * Looks up an unverified key: returns the caller, or `null` or `undefined` (401), or a promise of it. May throw.
   */
  readonly check: (key: string, request: AuthRequest) => unknown;
}

/** Authenticates by a key in a request header, which must occur exactly once. */
export function apiKeyStrategy({
  name,
  header = 'X-API-Key',
  hasScopes,
  check,
}: ApiKeyStrategyOptions): Strategy {
  const field = header.toLowerCase();
  return {
    name,
    scheme: { type: 'apiKey', in: 'header', name: header },
    hasScopes,
    authenticate(request) {
      const key = request.headers[field];
      if (typeof key !== 'string' || !isSentOnce(field, request.rawHeaders)) return undefined;
      return check(key, request);
    },
  };
}
