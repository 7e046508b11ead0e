import { isSentOnce } from './headers';
import type { AuthRequest, Strategy } from './strategy';

/** What tells one kind of key from another. */
export interface ApiKeyStrategyOptions {
  /** What `@UseStrategy()` calls it. */
  readonly name: string;
  /** The header that carries the key; `X-API-Key` unless given. */
  readonly header?: string;
  /**
   * The application's word on a key, of which nothing is known yet: the caller, or `null` or `undefined` (401), or a
   * promise of either. May throw.
   */
  readonly check: (key: string, request: AuthRequest) => unknown;
}

/** Tells callers by the key in a header of its own, which must stand there exactly once. */
export function apiKeyStrategy({ name, header = 'X-API-Key', check }: ApiKeyStrategyOptions): Strategy {
  const field = header.toLowerCase();
  return {
    name,
    scheme: { type: 'apiKey', in: 'header', name: header },
    authenticate(request) {
      const key = request.headers[field];
      if (typeof key !== 'string' || !isSentOnce(field, request.rawHeaders)) return undefined;
      return check(key, request);
    },
  };
}
