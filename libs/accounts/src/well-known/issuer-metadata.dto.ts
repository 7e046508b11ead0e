import { Exclude, Expose } from 'class-transformer';

/** What the program is as an issuer of access tokens (RFC 8414). */
@Exclude()
export class AuthorizationServerMetadata {
  /**
   * The `iss` of its tokens.
   *
   * @example https://api.example.com
   */
  @Expose() issuer!: string;
  /**
   * The keys that verify them.
   *
   * @example https://api.example.com/.well-known/jwks.json
   */
  @Expose() jwks_uri!: string;
  /** None: there is no authorization endpoint. */
  @Expose() response_types_supported!: string[];
  /** None: there is no token endpoint. */
  @Expose() grant_types_supported!: string[];
  /**
   * `public`: every application sees the same `sub`.
   *
   * @example ["public"]
   */
  @Expose() subject_types_supported!: string[];
  /** None: no ID tokens are issued. */
  @Expose() id_token_signing_alg_values_supported!: string[];
  /**
   * Of API keys and of tokens of trusted issuers.
   *
   * @example ["read", "write"]
   */
  @Expose() scopes_supported!: string[];
}

/** What the program is as a resource that accepts access tokens (RFC 9728). */
@Exclude()
export class ProtectedResourceMetadata {
  /** @example https://api.example.com */
  @Expose() resource!: string;
  /**
   * Whose tokens it accepts: its own, and those of trusted issuers.
   *
   * @example ["https://api.example.com"]
   */
  @Expose() authorization_servers!: string[];
  /** @example https://api.example.com/.well-known/jwks.json */
  @Expose() jwks_uri!: string;
  /** @example ["read", "write"] */
  @Expose() scopes_supported!: string[];
  /**
   * `header`: tokens are neither in a body nor in a URL.
   *
   * @example ["header"]
   */
  @Expose() bearer_methods_supported!: string[];
}
