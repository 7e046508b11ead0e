import type { IncomingHttpHeaders } from 'node:http';
import {
  AccountDisabledError,
  clientOf,
  IdentityConflictError,
  MfaRequired,
  SessionSignIn,
  SessionTokens,
  SessionTransport,
  type SignedInUser,
  TooManyAttemptsError,
  TooManySignUpsError,
  UntrustedPageError,
} from '@app/accounts';
import { Caller, DirectSignIn, Public, Recent, UnauthenticatedError } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  HttpCode,
  Ip,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  IdentityEmailConflictError,
  IdentityNotLinkedError,
  InvalidProviderResponseError,
  ProviderNotFoundError,
  ProviderUnavailableError,
} from './errors';
import {
  AuthorizeQuery,
  ByProvider,
  CompleteLink,
  CompleteProviderSignIn,
  IdentityProviders,
  ProviderAuthorization,
} from './oidc.dto';
import { OidcSignIn } from './oidc-sign-in';

/** Sign-in through identity providers. */
@Controller('auth/providers')
export class OidcController {
  constructor(
    private readonly oidc: OidcSignIn,
    private readonly sessions: SessionSignIn,
    private readonly transports: SessionTransport,
  ) {}

  /** Lists the identity providers that users may sign in through. */
  @Get()
  @Public()
  @Returns(IdentityProviders)
  list(): IdentityProviders {
    return { providers: this.oidc.names.map((name) => ({ name })) };
  }

  /** Begins a sign-in at an identity provider. Send the user to the returned `url`. */
  @Post(':provider/authorize')
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(ProviderAuthorization)
  @ErrorResponses(ProviderNotFoundError, ProviderUnavailableError, TooManyAttemptsError)
  authorize(
    @Param() { provider }: ByProvider,
    @Query() { prompt }: AuthorizeQuery,
    @Ip() ip: string,
  ): Promise<ProviderAuthorization> {
    return this.oidc.begin(provider, ip, prompt);
  }

  /**
   * Signs in with the provider's redirect parameters. A new identity gets a new account without a password. If the account
   * requires a second factor, the response is a 200 with an `mfa_token` for `POST /auth/sessions/complete`.
   */
  @Post(':provider/complete')
  @Public()
  @Returns(SessionTokens, {}, 200, MfaRequired)
  @ErrorResponses(
    UnauthenticatedError,
    AccountDisabledError,
    UntrustedPageError,
    IdentityNotLinkedError,
    ProviderNotFoundError,
    IdentityEmailConflictError,
    TooManySignUpsError,
    ProviderUnavailableError,
  )
  async complete(
    @Param() { provider }: ByProvider,
    @Body() { device, transport, ...completed }: CompleteProviderSignIn,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens | MfaRequired> {
    const prove = () => this.oidc.prove(provider, completed, ip);
    const open = () => this.sessions.open(prove, clientOf(ip, headers), device);
    return this.transports.send(transport, reply, open);
  }

  /** Begins to link an identity to the caller's account. */
  @Post(':provider/link')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(ProviderAuthorization)
  @ErrorResponses(ProviderNotFoundError, ProviderUnavailableError, TooManyAttemptsError)
  beginLink(
    @Param() { provider }: ByProvider,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<ProviderAuthorization> {
    return this.oidc.beginLink(caller, provider, ip);
  }

  /** Links the provider's identity to the caller's account for future sign-ins. */
  @Post(':provider/link/complete')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(204)
  @ErrorResponses(
    InvalidProviderResponseError,
    ProviderNotFoundError,
    IdentityConflictError,
    ProviderUnavailableError,
  )
  async link(
    @Param() { provider }: ByProvider,
    @Body() completed: CompleteLink,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    await this.oidc.link(caller, provider, completed, ip);
  }
}
