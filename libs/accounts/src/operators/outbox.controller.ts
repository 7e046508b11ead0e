import { Caller, isDirectSignIn, isRecentSignIn, Roles } from '@app/auth';
import { MailWorker, Outbox, type OutboxEntry } from '@app/mail';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { Database, inTransaction } from '@app/persistence';
import { Returns } from '@app/contract';
import { Controller, Get, Ip, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AuditLog } from '../audit/audit-log';
import type { SignedInUser } from '../access/access-check';
import { OutboxMail } from './outbox.dto';

/** The age up to which a sign-in may read texts, in seconds. */
const recentSeconds = 15 * 60;

/** Recent mails, newest first, for administrators. */
@Controller('outbox')
@Roles('admin')
export class OutboxController {
  constructor(
    private readonly outbox: Outbox,
    private readonly worker: MailWorker,
    private readonly audit: AuditLog,
    private readonly db: Database,
  ) {}

  /**
   * Lists recent mails, newest first. Texts are included only if there is no mail server, for an unrestricted caller who signed
   * in here within the last 15 minutes. Mailed links authenticate, so each shown text is recorded.
   */
  @Get()
  @Returns(Page(OutboxMail))
  async list(
    @Query() query: PaginationQuery,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const isTrusted = isDirectSignIn(caller) && isRecentSignIn(caller.authTime, recentSeconds);
    const showsTexts = isTrusted && !this.worker.hasServer;
    const page = await paginate(query, reply, async (slice) =>
      (await this.outbox.list(slice)).map((mail) => readable(mail, showsTexts)),
    );
    await this.recordShown(page.items, caller, ip);
    return page;
  }

  private async recordShown(
    mails: readonly OutboxMail[],
    { userId: accountId }: SignedInUser,
    ip: string,
  ): Promise<void> {
    const shown = mails.filter(({ text }) => text !== null);
    if (shown.length === 0) return;
    await inTransaction(this.db, async (db) => {
      for (const { id, kind } of shown)
        await this.audit.record(
          { kind: 'outbox-read', accountId, ip, detail: { mail: id, about: kind } },
          db,
        );
    });
  }
}

function readable({ text, ...mail }: OutboxEntry, showsTexts: boolean): OutboxMail {
  return { ...mail, text: showsTexts && text !== undefined ? text.text : null };
}
