import type { IncomingHttpHeaders } from 'node:http';

/** The request parts that a strategy may read. */
export interface AuthRequest {
  /** The method, such as `GET`. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw headers as alternating names and values, duplicates included. */
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
 * A synchronous strategy should return a value instead of a promise, so that the guard is synchronous too.
 */
export interface Strategy {
  readonly name: string;
  /** The place of the credentials, also in the OpenAPI description. A strategy that has no scheme is omitted there. */
  readonly scheme?: SecurityScheme;
  /**
   * Returns whether a request carries credentials for this strategy, valid or invalid. A route with an optional caller admits
   * requests without credentials. By default, the `scheme` decides.
   */
  readonly hasCredentials?: (request: AuthRequest) => boolean;
  /** Whether the strategy's callers may be restricted. A caller with `scopes` may do only the actions that they permit. */
  readonly hasScopes?: boolean;
  /**
   * @returns the caller, an object that becomes `request.user`; any other value means unauthenticated (401)
   * @throws an error; the guard's `checkErrors` may map it to a reply, otherwise it becomes a 401
   */
  authenticate(request: AuthRequest): unknown;
}
