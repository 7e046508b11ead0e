import { NoPublicUrlError } from '../errors';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from './issuer-metadata.dto';

/** What a program tells others of itself. */
export interface IssuerMetadataOptions {
  /** Its public base URL, without a slash at the end; the `iss` of its tokens. */
  readonly apiUrl?: string;
  /** Those of API keys and of trusted issuers. */
  readonly scopes: readonly string[];
  /** Issuers whose tokens it accepts beside its own. */
  readonly trustedIssuers: readonly string[];
}

/** The metadata of a program as an issuer of tokens, and as a resource that accepts them. */
export class IssuerMetadata {
  constructor(private readonly options: IssuerMetadataOptions) {}

  /**
   * What is there to verify access tokens: there is no authorization endpoint and no token endpoint, because passwords are sent to
   * routes of our own.
   *
   * @throws NoPublicUrlError without a public URL
   * @see RFC 8414 §2
   */
  authorizationServer(): AuthorizationServerMetadata {
    const issuer = this.publicUrl();
    return {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: [],
      grant_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [],
      scopes_supported: [...this.options.scopes],
    };
  }

  /**
   * @throws NoPublicUrlError without a public URL
   * @see RFC 9728 §2
   */
  protectedResource(): ProtectedResourceMetadata {
    const resource = this.publicUrl();
    return {
      resource,
      authorization_servers: [resource, ...this.options.trustedIssuers],
      jwks_uri: `${resource}/.well-known/jwks.json`,
      scopes_supported: [...this.options.scopes],
      bearer_methods_supported: ['header'],
    };
  }

  private publicUrl(): string {
    const { apiUrl } = this.options;
    if (apiUrl === undefined) throw new NoPublicUrlError();
    return apiUrl;
  }
}
