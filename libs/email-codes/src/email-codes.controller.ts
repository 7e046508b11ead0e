import type { IncomingHttpHeaders } from 'node:http';
import {
  AccountDisabledError,
  clientOf,
  MfaRequired,
  SessionSignIn,
  SessionTokens,
  SessionTransport,
  TooManyAttemptsError,
  UntrustedPageError,
} from '@app/accounts';
import { Public, UnauthenticatedError } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Body, Controller, Headers, HttpCode, Ip, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EmailCodes } from './email-codes.factor';
import { CompleteEmailCode, RequestedEmailCode, RequestEmailCode } from './email-codes.dto';
import { EmailCodesOffError } from './errors';

/** Sign-in with a mailed code or link. */
@Controller('auth/email-codes')
@Public()
export class EmailCodesController {
  constructor(
    private readonly codes: EmailCodes,
    private readonly sessions: SessionSignIn,
    private readonly transports: SessionTransport,
  ) {}

  /** Mails a sign-in code and link, valid once within ten minutes. The response is the same for unknown accounts. */
  @Post()
  @HttpCode(202)
  @Returns(RequestedEmailCode)
  @ErrorResponses(EmailCodesOffError, TooManyAttemptsError, 503)
  async request(@Body() { username }: RequestEmailCode, @Ip() ip: string): Promise<RequestedEmailCode> {
    return { nonce: await this.codes.request(username, ip) };
  }

  /** Opens a session with a mailed code. A code allows five tries. */
  @Post('complete')
  @Returns(SessionTokens, {}, 200, MfaRequired)
  @ErrorResponses(
    EmailCodesOffError,
    UnauthenticatedError,
    AccountDisabledError,
    UntrustedPageError,
    TooManyAttemptsError,
    503,
  )
  async complete(
    @Body() { nonce, code, transport }: CompleteEmailCode,
    @Ip() ip: string,
    @Headers() headers: IncomingHttpHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens | MfaRequired> {
    const prove = () => this.codes.prove(nonce, code, ip);
    const open = () => this.sessions.open(prove, clientOf(ip, headers));
    return this.transports.send(transport, reply, open);
  }
}
