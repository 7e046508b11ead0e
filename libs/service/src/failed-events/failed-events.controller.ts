import { AuditLog, type SignedInUser } from '@app/accounts';
import { Caller, DirectSignIn, Recent, Roles } from '@app/auth';
import { ById, Returns } from '@app/contract';
import { missing } from '@app/http-errors';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Database, inTransaction, type Queries } from '@app/persistence';
import { Controller, Delete, Get, HttpCode, Ip, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FailedEvent } from './failed-events.dto';
import { FailedEventsStore } from './failed-events.store';

declare module '@app/accounts' {
  interface OwnAuditKinds {
    'event-retried': true;
    'event-discarded': true;
  }
}

/** The events whose handler failed, for administrators. */
@Controller('events')
@Roles('admin')
export class FailedEventsController {
  constructor(
    private readonly events: FailedEventsStore,
    private readonly audit: AuditLog,
    private readonly db: Database,
  ) {}

  /** Lists the events whose handler failed, newest first, including events that will be attempted again. */
  @Get()
  @Returns(Page(FailedEvent))
  async list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.events.list(slice));
  }

  /** Delivers a failed event again, at once. */
  @Post(':id/retries')
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async retry(@Param() { id }: ById, @Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.change('event-retried', id, caller, ip, (db) => this.events.retry(id, db));
  }

  /** Discards a failed event. The handler never receives the event. */
  @Delete(':id')
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async discard(@Param() { id }: ById, @Caller() caller: SignedInUser, @Ip() ip: string): Promise<void> {
    await this.change('event-discarded', id, caller, ip, (db) => this.events.discard(id, db));
  }

  private async change(
    kind: 'event-discarded' | 'event-retried',
    id: number,
    { userId: accountId }: SignedInUser,
    ip: string,
    work: (db: Queries) => Promise<boolean>,
  ): Promise<void> {
    const isChanged = await inTransaction(this.db, async (db) => {
      if (!(await work(db))) return false;
      await this.audit.record({ kind, accountId, ip, detail: { event: id } }, db);
      return true;
    });
    if (!isChanged) missing('event', id);
  }
}
