import type { IncomingHttpHeaders } from 'node:http';
import { SignInOverloadError, Public, UnauthenticatedError } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Body, Controller, Headers, HttpCode, Ip, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { clientOf } from '../devices/client';
import { AccountDisabledError, MfaRequiredError, TooManyAttemptsError, UntrustedPageError } from '../errors';
import { SessionSignIn } from '../sessions/session-sign-in';
import { MfaRequired, SessionTokens } from '../sessions/sessions.dto';
import { SessionTransport } from '../sessions/session-transport';
import { Login } from './login';
import { PasswordCheck } from './password-check';
import { LoginRequest, LoginResponse, SessionRequest } from './password.dto';

/** Sign-in with a password. */
@Controller('auth')
@Public()
export class PasswordController {
  constructor(
    private readonly signIn: Login,
    private readonly check: PasswordCheck,
    private readonly sessions: SessionSignIn,
    private readonly transports: SessionTransport,
  ) {}

  /** Signs in for an access token's lifetime. */
  @Post('login')
  @HttpCode(200)
  @Returns(LoginResponse)
  @ErrorResponses(
    UnauthenticatedError,
    AccountDisabledError,
    MfaRequiredError,
    TooManyAttemptsError,
    SignInOverloadError,
  )
  async login(
    @Body() { username, password }: LoginRequest,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<LoginResponse> {
    const token = await this.signIn.login(username, password, clientOf(ip, headers));
    if (token === undefined) throw new UnauthenticatedError();
    return { access_token: token };
  }

  /**
   * Opens a session, which single-use refresh tokens extend. If the account requires a second factor, the response is a 200
   * with an `mfa_token` for `POST /auth/sessions/complete`.
   */
  @Post('sessions')
  @Returns(SessionTokens, {}, 200, MfaRequired)
  @ErrorResponses(
    UnauthenticatedError,
    AccountDisabledError,
    UntrustedPageError,
    TooManyAttemptsError,
    SignInOverloadError,
  )
  async open(
    @Body() { username, password, device, transport }: SessionRequest,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens | MfaRequired> {
    const prove = () => this.check.check(username, password, ip);
    const open = () => this.sessions.open(prove, clientOf(ip, headers), device);
    return this.transports.send(transport, reply, open);
  }
}
