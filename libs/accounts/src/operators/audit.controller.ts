import { Readable } from 'node:stream';
import { Caller, Roles } from '@app/auth';
import { RateLimit, Returns } from '@app/contract';
import { Page, paginate } from '@app/paging';
import { Database } from '@app/persistence';
import { Controller, Get, Header, Ip, Query, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuditEventRow } from '../audit/audit-event.table';
import { AuditLog, readDetail } from '../audit/audit-log';
import { ChainCheck } from '../audit/chain-check';
import { exportAudit } from '../audit/audit-export';
import type { SignedInUser } from '../access/access-check';
import { AuditCheck, AuditCheckQuery, AuditEvent, AuditQuery, ExportQuery } from './audit.dto';

/** The audit log, newest first, for administrators. */
@Controller('audit')
@Roles('admin')
export class AuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly chain: ChainCheck,
    private readonly db: Database,
  ) {}

  /** Lists audit events, newest first. */
  @Get()
  @Returns(Page(AuditEvent))
  async list(@Query() query: AuditQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    const { accountId, kind } = query;
    return paginate(query, reply, async (slice) =>
      (await this.audit.list(slice, { accountId, kind })).map(readable),
    );
  }

  /** Streams the events in a period as NDJSON, oldest first. Each export is recorded in the audit log. */
  @Get('export')
  @RateLimit('10/1m')
  @Header('Content-Type', 'application/x-ndjson')
  @Returns('bytes')
  async export(
    @Query() { from, to }: ExportQuery,
    @Caller() { userId: accountId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<StreamableFile> {
    await this.audit.record({
      kind: 'audit-exported',
      accountId,
      ip,
      detail: { ...(from && { from }), ...(to && { to }) },
    });
    return new StreamableFile(Readable.from(exportAudit(this.db, { from: dateOf(from), to: dateOf(to) })));
  }

  /** Verifies all sealed events against the hash chain. */
  @Get('check')
  @RateLimit('10/1m')
  @Returns(AuditCheck)
  check(@Query() { head }: AuditCheckQuery): Promise<AuditCheck> {
    return this.chain.check(head);
  }
}

function readable(row: AuditEventRow): AuditEvent {
  return { ...row, detail: readDetail(row) };
}

function dateOf(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
