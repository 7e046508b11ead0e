import { AuditLog, type SignedInUser } from '@app/accounts';
import { Caller, Roles } from '@app/auth';
import { MailWorker, Outbox, type OutboxEntry } from '@app/mail';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Answers } from '@app/serialization';
import { Controller, Get, Ip, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OutboxMail } from './outbox.dto';

/** The mails of the last days, newest first, for administrators. */
@Controller('outbox')
@Roles('admin')
export class OutboxController {
  constructor(
    private readonly outbox: Outbox,
    private readonly worker: MailWorker,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Lists the mails of the last days, newest first. They have their texts only if no server sends them: their links authenticate, so
   * reading them is recorded.
   */
  @Get()
  @Answers(Page(OutboxMail))
  async list(
    @Query() query: PaginationQuery,
    @Caller() { userId: accountId }: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const showsTexts = !this.worker.hasServer;
    if (showsTexts) await this.audit.record({ kind: 'outbox-read', accountId, ip });
    return paginate(query, reply, async (slice) =>
      (await this.outbox.list(slice)).map((mail) => readable(mail, showsTexts)),
    );
  }
}

function readable({ text, ...mail }: OutboxEntry, showsTexts: boolean): OutboxMail {
  return { ...mail, text: showsTexts && text !== undefined ? text.text : null };
}
