import { Caller, Public, UnauthenticatedError } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Answers } from '@app/serialization';
import { ById } from '@app/validation';
import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { SignedInUser } from '../accounts';
import { NoSuchSessionError } from '../errors';
import { RefreshRequest, Session, SessionTokens } from '../sessions/sessions.dto';
import { type TokenPair, Sessions } from '../sessions/sessions';
import { SessionsStore } from '../sessions/sessions.store';
import { LoginRequest } from '../sign-in.dto';

/** Sign-ins that last: opened, refreshed and ended by their owner. */
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly store: SessionsStore,
  ) {}

  @Post('sessions')
  @Public()
  @Answers(SessionTokens)
  @ErrorResponses(401, 403, 429, 503)
  async open(@Body() { username, password }: LoginRequest, @Ip() ip: string): Promise<SessionTokens> {
    return answer(await this.sessions.open(username, password, ip));
  }

  @Post('refresh')
  @Public()
  @HttpCode(200)
  @Answers(SessionTokens)
  @ErrorResponses(401, 403, 503)
  async refresh(@Body() { refresh_token }: RefreshRequest, @Ip() ip: string): Promise<SessionTokens> {
    return answer(await this.sessions.refresh(refresh_token, ip));
  }

  @Post('logout')
  @HttpCode(204)
  async logout(@Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.sessions.logout(caller, ip);
  }

  @Get('sessions')
  @Answers(Page(Session))
  async list(
    @Query() query: PaginationQuery,
    @Caller() { userId }: SignedInUser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.store.list(userId, slice));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async end(@Param() { id }: ById, @Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<void> {
    if (!(await this.sessions.end(userId, id, { ip }))) throw new NoSuchSessionError();
  }
}

/** @throws UnauthenticatedError, the one answer to whatever is no good (D16) */
function answer(pair: TokenPair | undefined): SessionTokens {
  if (pair === undefined) throw new UnauthenticatedError();
  return { access_token: pair.accessToken, refresh_token: pair.refreshToken };
}
