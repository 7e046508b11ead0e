import { isSentOnce } from './headers';
import type { AuthRequest, Strategy } from './strategy';

/** Options of {@link apiKeyStrategy}. */
export interface ApiKeyStrategyOptions {
  /** The name for `@UseStrategy()`. */
  readonly name: string;
  /** The header name; default `X-API-Key`. */
  readonly header?: string;
  /** Whether the strategy's callers may have `scopes`. */
  readonly hasScopes?: boolean;
  /** Looks up an unverified key. It returns the caller, `null` or `undefined` (401), or a promise. It may throw. */
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
