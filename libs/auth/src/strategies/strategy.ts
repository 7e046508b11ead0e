import type { IncomingHttpHeaders } from 'node:http';

/** What a strategy may look at. */
export interface AuthRequest {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came, duplicates included. */
  readonly rawHeaders: readonly string[];
  /** The peer's address. */
  readonly ip: string;
}

/** How a caller brings what a strategy reads, as a Security Scheme of OpenAPI 3.1 has it. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string };

/**
 * One way of telling who asks, under the name that `@UseStrategy()` calls it by.
 *
 * A strategy that waits for nothing should return its answer rather than a promise of it.
 */
export interface Strategy {
  readonly name: string;
  /** Told to callers; a strategy without one is left out of descriptions. */
  readonly scheme?: SecurityScheme;
  /**
   * @returns the caller, an object that becomes `request.user`; anything else means that nobody we know asks (401)
   * @throws what the guard's `checkErrors` answer with another status; 401 otherwise
   */
  authenticate(request: AuthRequest): unknown;
}
