import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that a strategy may read. */
export interface AuthRequest {
  /** Such as `GET`. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, duplicates included. */
  readonly rawHeaders: readonly string[];
  /** The remote address. */
  readonly ip: string;
}

/** A Security Scheme Object of OpenAPI 3.1. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'cookie'; readonly name: string };

/**
 * A way to authenticate a request, selected by name with `@UseStrategy()`.
 *
 * A synchronous strategy should return a value and not a promise: the guard is then synchronous too.
 */
export interface Strategy {
  readonly name: string;
  /** Where its credentials are sent, also for the OpenAPI description; a strategy without one is omitted there. */
  readonly scheme?: SecurityScheme;
  /**
   * Whether a request carries credentials for this strategy, valid or not: where a caller is optional, a request without any is
   * let in. Default: by the `scheme`.
   */
  readonly hasCredentials?: (request: AuthRequest) => boolean;
  /** Whether its callers may be restricted: their `scopes`, if not `undefined`, are all that they may do. */
  readonly hasScopes?: boolean;
  /**
   * @returns the caller, an object that becomes `request.user`; anything else means unauthenticated (401)
   * @throws errors that the guard's `checkErrors` map to a reply; others are a 401
   */
  authenticate(request: AuthRequest): unknown;
}
