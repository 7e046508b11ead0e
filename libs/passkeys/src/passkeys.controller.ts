import type { IncomingHttpHeaders } from 'node:http';
import {
  AccountDisabledError,
  clientOf,
  MfaRequired,
  SessionSignIn,
  SessionTokens,
  SessionTransport,
  type SignedInUser,
  UntrustedPageError,
} from '@app/accounts';
import { Caller, DirectSignIn, Public, Recent, UnauthenticatedError } from '@app/auth';
import { ErrorResponses, RateLimit, Returns } from '@app/contract';
import { Body, Controller, Header, Headers, HttpCode, Ip, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { InvalidPasskeyError, TooManyPasskeysError } from './errors';
import { PasskeyEnrolments } from './passkey-enrolments';
import { PasskeySignIn } from './passkey-sign-in';
import {
  BeginPasskeySignIn,
  ConfirmPasskey,
  PasskeyEnrolled,
  PasskeyOptions,
  PasskeySessionRequest,
} from './passkeys.dto';

/** Passkey enrolment and sign-in. */
@Controller('auth')
export class PasskeysController {
  constructor(
    private readonly enrolments: PasskeyEnrolments,
    private readonly signIn: PasskeySignIn,
    private readonly sessions: SessionSignIn,
    private readonly transports: SessionTransport,
  ) {}

  /** Begins a passkey enrolment. Confirm the enrolment within five minutes. */
  @Post('factors/passkeys')
  @DirectSignIn()
  @Recent('15m')
  @RateLimit('60/1m')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(PasskeyOptions)
  @ErrorResponses(TooManyPasskeysError)
  async beginEnrolment(@Caller() caller: SignedInUser): Promise<PasskeyOptions> {
    return { options: await this.enrolments.begin(caller) };
  }

  /**
   * Enrols a passkey, which then signs in without a user name. Password sign-ins require a second factor from now on, and the
   * caller's remaining sessions end. The response has ten recovery codes if the account lacked them.
   */
  @Post('factors/passkeys/confirm')
  @DirectSignIn()
  @Recent('15m')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Returns(PasskeyEnrolled)
  @ErrorResponses(InvalidPasskeyError, TooManyPasskeysError)
  confirmEnrolment(
    @Body() { credential, name }: ConfirmPasskey,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<PasskeyEnrolled> {
    return this.enrolments.confirm(caller, credential, name ?? null, ip);
  }

  /** Begins a passkey sign-in, without a user name or as a second factor. Complete the sign-in within five minutes. */
  @Post('passkeys')
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RateLimit('60/1m')
  @Returns(PasskeyOptions)
  @ErrorResponses(UnauthenticatedError)
  async begin(
    @Body() { mfa_token: mfaToken }: BeginPasskeySignIn,
    @Ip() ip: string,
  ): Promise<PasskeyOptions> {
    return { options: await this.signIn.begin(mfaToken, ip) };
  }

  /** Opens a session with a passkey. The passkey counts as two factors. */
  @Post('passkeys/complete')
  @Public()
  @RateLimit('60/1m')
  @Returns(SessionTokens, {}, 200, MfaRequired)
  @ErrorResponses(UnauthenticatedError, AccountDisabledError, UntrustedPageError)
  async complete(
    @Body() { credential, device, transport }: PasskeySessionRequest,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens | MfaRequired> {
    const prove = () => this.signIn.prove(credential);
    const open = () => this.sessions.open(prove, clientOf(ip, headers), device);
    return this.transports.send(transport, reply, open);
  }
}
