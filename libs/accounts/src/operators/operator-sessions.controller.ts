import { missing } from '@app/http-errors';
import { Caller, DirectSignIn, Recent, Roles } from '@app/auth';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { ById, Returns, RowId } from '@app/contract';
import { Controller, Delete, Get, HttpCode, Ip, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RevokeSessionsQuery, sendActiveKeys } from '../sessions/revoke-sessions';
import { Session } from '../sessions/sessions.dto';
import { Sessions } from '../sessions/sessions';
import { SessionsStore } from '../sessions/sessions.store';
import type { SignedInUser } from '../access/access-check';

/** The path parameters for a user's session. */
class ByUserAndSession extends ById {
  @RowId() session!: number;
}

/** A user's sessions, for administrators. */
@Controller('users/:id/sessions')
@Roles('admin')
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly store: SessionsStore,
  ) {}

  /** Lists a user's sessions. */
  @Get()
  @Returns(Page(Session))
  async list(
    @Param() { id }: ById,
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.store.list(id, slice));
  }

  /** Ends a user's sessions and revokes all tokens. The header `Active-API-Keys` counts the API keys that still work. */
  @Delete()
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async endAll(
    @Param() { id }: ById,
    @Query() { apiKeys }: RevokeSessionsQuery,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const activeKeys = await this.sessions.revokeAll(
      id,
      { id: actorId, client: { ip } },
      { revokesKeys: apiKeys === 'end' },
    );
    sendActiveKeys(reply, activeKeys ?? missing('user', id));
  }

  /** Ends a user's session. */
  @Delete(':session')
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async end(
    @Param() { id, session }: ByUserAndSession,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    if (!(await this.sessions.revoke(id, session, { id: actorId, client: { ip } })))
      missing('session', session);
  }
}
