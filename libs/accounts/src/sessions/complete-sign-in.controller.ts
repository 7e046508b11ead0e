import type { IncomingHttpHeaders } from 'node:http';
import { Public, UnauthenticatedError } from '@app/auth';
import { ErrorResponses, IfGiven, NoLongerThan, Returns } from '@app/contract';
import { Body, Controller, Headers, Ip, Post, Res, type Type } from '@nestjs/common';
import { IsIn, IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { clientOf } from '../devices/client';
import { AccountDisabledError, TooManyAttemptsError, UntrustedPageError } from '../errors';
import { SessionSignIn } from './session-sign-in';
import { IsTransport, SessionTransport, type Transport } from './session-transport';
import { SessionTokens } from './sessions.dto';

/** The members by which factors are proven besides `code`, with their rule decorators. All are optional. */
export type ProofMembers = Readonly<Record<string, readonly PropertyDecorator[]>>;

/** Makes the controller that completes sign-ins by a program's second factors. */
export function completeSignInController(kinds: readonly string[], members: ProofMembers): Type {
  /** The second factor for a sign-in. */
  class CompleteSignIn {
    /** The `mfa_token` returned by the first sign-in step. */
    @IsString() mfa_token!: string;
    /** The factor to use, from `factors` in the first response. */
    @IsIn(kinds) factor!: string;
    /**
     * The code, for factors that use a code.
     *
     * @example 042042
     */
    @IfGiven() @IsString() @NoLongerThan(100) code?: string;
    /** The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read. */
    @IsTransport() transport?: Transport;
  }
  for (const [name, decorators] of Object.entries(members))
    for (const decorate of [IfGiven(), ...decorators]) decorate(CompleteSignIn.prototype, name);

  /** The second sign-in step. */
  @Controller('auth/sessions/complete')
  class CompleteSignInController {
    constructor(
      private readonly signIn: SessionSignIn,
      private readonly transports: SessionTransport,
    ) {}

    /**
     * Completes a sign-in with a second factor. The `mfa_token` works for a single sign-in. A wrong factor counts as a failed
     * sign-in and keeps the token valid.
     */
    @Post()
    @Public()
    @Returns(SessionTokens)
    @ErrorResponses(UnauthenticatedError, AccountDisabledError, UntrustedPageError, TooManyAttemptsError, 503)
    async complete(
      @Body() { mfa_token: mfaToken, factor: kind, transport, ...proof }: CompleteSignIn,
      @Ip() ip: string,
      @Headers() headers: IncomingHttpHeaders,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<SessionTokens> {
      const open = () => this.signIn.complete(mfaToken, { kind, proof }, clientOf(ip, headers));
      return this.transports.sendTokens(transport, reply, open);
    }
  }
  return CompleteSignInController;
}
