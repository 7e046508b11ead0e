import { AuditLog } from '@app/accounts';
import { Roles } from '@app/auth';
import { Page, paginate } from '@app/paging';
import type { AuditEventRow } from '@app/persistence';
import { Answers } from '@app/serialization';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AuditEvent, AuditQuery } from './audit.dto';

/** The audit log, newest first, for administrators. */
@Controller('audit')
@Roles('admin')
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  /** Lists what happened to accounts and sessions, newest first. */
  @Get()
  @Answers(Page(AuditEvent))
  async list(@Query() query: AuditQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    const { accountId, kind } = query;
    return paginate(query, reply, async (slice) =>
      (await this.audit.list(slice, { accountId, kind })).map(readable),
    );
  }
}

function readable(row: AuditEventRow): AuditEvent {
  return { ...row, detail: JSON.parse(row.detail) };
}
