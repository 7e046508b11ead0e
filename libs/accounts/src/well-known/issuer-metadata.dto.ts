import { Exclude, Expose } from 'class-transformer';

/** The program's metadata as an issuer (RFC 8414). */
@Exclude()
export class AuthorizationServerMetadata {
  /**
   * The `iss` claim in the program's tokens.
   *
   * @example https://api.example.com
   */
  @Expose() issuer!: string;
  /**
   * The URL to the public keys.
   *
   * @example https://api.example.com/.well-known/jwks.json
   */
  @Expose() jwks_uri!: string;
  /** The response types, always empty: the program has no authorization endpoint. */
  @Expose() response_types_supported!: string[];
  /** The grant types, always empty: the program has no token endpoint. */
  @Expose() grant_types_supported!: string[];
  /**
   * Always `public`: every application sees the same `sub`.
   *
   * @example ["public"]
   */
  @Expose() subject_types_supported!: string[];
  /** The algorithms of ID tokens, always empty: the program issues access tokens only. */
  @Expose() id_token_signing_alg_values_supported!: string[];
  /**
   * The scopes that API keys and trusted issuers' tokens may have.
   *
   * @example ["read", "write"]
   */
  @Expose() scopes_supported!: string[];
}

/** The program's metadata as a protected resource (RFC 9728). */
@Exclude()
export class ProtectedResourceMetadata {
  /** @example https://api.example.com */
  @Expose() resource!: string;
  /**
   * The accepted issuers: the program itself and its trusted issuers.
   *
   * @example ["https://api.example.com"]
   */
  @Expose() authorization_servers!: string[];
  /** @example https://api.example.com/.well-known/jwks.json */
  @Expose() jwks_uri!: string;
  /** @example ["read", "write"] */
  @Expose() scopes_supported!: string[];
  /**
   * The place of an access token in a request, which is always `header`.
   *
   * @example ["header"]
   */
  @Expose() bearer_methods_supported!: string[];
}
