import { BeforePasswordChange, Caller, DirectSignIn, Public, UnauthenticatedError } from '@app/auth';
import { ById, ErrorResponses, Returns, Tag } from '@app/contract';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { SignedInUser } from '../access/access-check';
import {
  AccountDisabledError,
  SessionNotFoundError,
  TooManyAttemptsError,
  TooManyRefreshesError,
  UntrustedPageError,
} from '../errors';
import { RevokeSessionsQuery, sendActiveKeys } from './revoke-sessions';
import { RefreshRequest, Session, SessionTokens } from './sessions.dto';
import { SessionSignIn } from './session-sign-in';
import { SessionTransport } from './session-transport';
import { Sessions } from './sessions';
import { SessionsStore } from './sessions.store';

/** The caller's own sessions. */
@Tag(
  'auth',
  'Sign-in and sign-out, sessions, second factors, API keys, and changes to passwords and e-mails.',
)
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly signIn: SessionSignIn,
    private readonly sessions: Sessions,
    private readonly store: SessionsStore,
    private readonly transports: SessionTransport,
  ) {}

  /**
   * Replaces a session's tokens. If the response is lost, repeat the request within an hour. An older refresh token ends the
   * session. Without a `refresh_token`, the session cookie is used and replaced.
   */
  @Post('refresh')
  @Public()
  @HttpCode(200)
  @Returns(SessionTokens)
  @ErrorResponses(
    UnauthenticatedError,
    AccountDisabledError,
    UntrustedPageError,
    TooManyAttemptsError,
    TooManyRefreshesError,
    503,
  )
  async refresh(
    @Body() { refresh_token }: RefreshRequest,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionTokens> {
    const token = refresh_token ?? this.transports.tokenIn(reply.request);
    if (token === undefined) throw new UnauthenticatedError();
    const transport = refresh_token === undefined ? 'cookie' : 'body';
    return this.transports.sendTokens(transport, reply, () => this.signIn.refresh(token, ip));
  }

  /** Signs out: revokes the caller's session. */
  @Post('logout')
  @DirectSignIn(false)
  @BeforePasswordChange()
  @HttpCode(204)
  async logout(
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.logout(caller, ip);
    this.transports.clear(caller.userId, reply);
  }

  /** Lists the caller's sessions. */
  @Get('sessions')
  @Returns(Page(Session))
  async list(
    @Query() query: PaginationQuery,
    @Caller() { userId }: SignedInUser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.store.list(userId, slice));
  }

  /**
   * Revokes all the caller's sessions and tokens, including this session. The header `Active-API-Keys` counts the API keys that
   * still work.
   */
  @Delete('sessions')
  @DirectSignIn(false)
  @HttpCode(204)
  async endAll(
    @Query() { apiKeys }: RevokeSessionsQuery,
    @Caller() { userId }: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const activeKeys = await this.sessions.revokeAll(
      userId,
      { client: { ip } },
      { revokesKeys: apiKeys === 'end' },
    );
    this.transports.clear(userId, reply);
    sendActiveKeys(reply, activeKeys ?? 0);
  }

  /** Revokes the caller's session. */
  @Delete('sessions/:id')
  @DirectSignIn(false)
  @HttpCode(204)
  @ErrorResponses(SessionNotFoundError)
  async end(@Param() { id }: ById, @Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<void> {
    if (!(await this.sessions.revoke(userId, id, { client: { ip } }))) throw new SessionNotFoundError();
  }
}
