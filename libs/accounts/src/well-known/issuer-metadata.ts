import { wideScopes } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { NoPublicUrlError } from '../errors';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from './issuer-metadata.dto';
import { AccountsOptions } from '../options';

/** The metadata of a program as an issuer of tokens, and as a resource that accepts them. */
@Injectable()
export class IssuerMetadata {
  constructor(private readonly options: AccountsOptions) {}

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
      scopes_supported: [...wideScopes, ...this.options.scopes],
    };
  }

  /**
   * @throws NoPublicUrlError without a public URL
   * @see RFC 9728 §2
   */
  protectedResource(): ProtectedResourceMetadata {
    const resource = this.publicUrl();
    const { TRUSTED_ISSUERS = [] } = this.options.settings;
    return {
      resource,
      authorization_servers: [resource, ...TRUSTED_ISSUERS.map(({ issuer }) => issuer)],
      jwks_uri: `${resource}/.well-known/jwks.json`,
      scopes_supported: [...wideScopes, ...this.options.scopes],
      bearer_methods_supported: ['header'],
    };
  }

  private publicUrl(): string {
    const { API_URL: url } = this.options.settings;
    if (url === undefined) throw new NoPublicUrlError();
    return url;
  }
}
