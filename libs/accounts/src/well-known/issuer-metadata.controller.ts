import { Public } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Get, Header } from '@nestjs/common';
import { NoPublicUrlError } from '../errors';
import { IssuerMetadata } from './issuer-metadata';
import { AuthorizationServerMetadata, ProtectedResourceMetadata } from './issuer-metadata.dto';

const cacheControl = 'public, max-age=300';

/** What others need to verify our access tokens, and to know whose we accept. */
@Controller('.well-known')
@Public()
export class IssuerMetadataController {
  constructor(private readonly metadata: IssuerMetadata) {}

  /** Returns what the program is as an issuer of access tokens (RFC 8414); a 404 without `API_URL`. */
  @Get('oauth-authorization-server')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  authorizationServer(): AuthorizationServerMetadata {
    return this.metadata.authorizationServer();
  }

  /** Returns the same under the name of OpenID Connect Discovery, where many libraries look for keys. */
  @Get('openid-configuration')
  @Header('Cache-Control', cacheControl)
  @Returns(AuthorizationServerMetadata)
  @ErrorResponses(NoPublicUrlError)
  openIdConfiguration(): AuthorizationServerMetadata {
    return this.metadata.authorizationServer();
  }

  /** Returns whose access tokens the program accepts (RFC 9728); a 404 without `API_URL`. */
  @Get('oauth-protected-resource')
  @Header('Cache-Control', cacheControl)
  @Returns(ProtectedResourceMetadata)
  @ErrorResponses(NoPublicUrlError)
  protectedResource(): ProtectedResourceMetadata {
    return this.metadata.protectedResource();
  }
}
