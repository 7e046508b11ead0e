import { Public, wideScopes } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Get, Header } from '@nestjs/common';
import { NoPublicUrlError } from '../errors';
import { AccountsOptions } from '../options';
import { AuthorizationServerMetadata, ProtectedResourceMetadata } from './issuer-metadata.dto';

const cacheControl = 'public, max-age=300';

/** The metadata that other services read to verify access tokens. */
@Controller('.well-known')
@Public()
export class IssuerMetadataController {
  constructor(private readonly options: AccountsOptions) {}

  /** Returns the program's metadata as an issuer (RFC 8414), or 404 if `API_URL` is unset. */
  @Get('oauth-authorization-server')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  authorizationServer(): AuthorizationServerMetadata {
    const issuer = this.publicUrl();
    return {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      // Passwords are sent to routes of our own, so there is no authorization endpoint and no token endpoint.
      response_types_supported: [],
      grant_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [],
      scopes_supported: [...wideScopes, ...this.options.scopes],
    };
  }

  /** Returns the issuer metadata at the OpenID Connect Discovery path, where many libraries look for keys. */
  @Get('openid-configuration')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  openIdConfiguration(): AuthorizationServerMetadata {
    return this.authorizationServer();
  }

  /** Returns the issuers that the program accepts (RFC 9728), or 404 if `API_URL` is unset. */
  @Get('oauth-protected-resource')
  @Header('Cache-Control', cacheControl)
  @Returns(ProtectedResourceMetadata)
  @ErrorResponses(NoPublicUrlError)
  protectedResource(): ProtectedResourceMetadata {
    const resource = this.publicUrl();
    return {
      resource,
      authorization_servers: [resource, ...(this.options.issuers?.urls ?? [])],
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
