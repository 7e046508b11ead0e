import { Public } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Get, Header } from '@nestjs/common';
import { NoPublicUrlError } from '../errors';
import { IssuerMetadata } from './issuer-metadata';
import { AuthorizationServerMetadata, ProtectedResourceMetadata } from './issuer-metadata.dto';

const cacheControl = 'public, max-age=300';

/** The metadata that other services read to verify access tokens. */
@Controller('.well-known')
@Public()
export class IssuerMetadataController {
  constructor(private readonly metadata: IssuerMetadata) {}

  /** Returns the program's metadata as an issuer (RFC 8414), or 404 if `API_URL` is unset. */
  @Get('oauth-authorization-server')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  authorizationServer(): AuthorizationServerMetadata {
    return this.metadata.authorizationServer();
  }

  /** Returns the issuer metadata at the OpenID Connect Discovery path, where many libraries look for keys. */
  @Get('openid-configuration')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  openIdConfiguration(): AuthorizationServerMetadata {
    return this.metadata.authorizationServer();
  }

  /** Returns the issuers that the program accepts (RFC 9728), or 404 if `API_URL` is unset. */
  @Get('oauth-protected-resource')
  @Header('Cache-Control', cacheControl)
  @Returns(ProtectedResourceMetadata)
  @ErrorResponses(NoPublicUrlError)
  protectedResource(): ProtectedResourceMetadata {
    return this.metadata.protectedResource();
  }
}
