import { missing } from '@app/http-errors';
import { Readable } from 'node:stream';
import { Caller, Recent } from '@app/auth';
import { ErrorResponses, RateLimit, Returns } from '@app/contract';
import { Controller, Get, Header, Ip, StreamableFile } from '@nestjs/common';
import { AccountExport } from './account-export';
import type { SignedInUser } from '../access/access-check';

/** The export of the caller's account. */
@Controller('users/me/export')
export class ExportController {
  constructor(private readonly accounts: AccountExport) {}

  /**
   * Streams all stored data about the caller as a single JSON document: the account without secrets, and a list per kind of
   * data. An interrupted download is invalid JSON. Each export is recorded in the audit log.
   */
  @Get()
  @Recent('15m')
  @RateLimit('10/1h')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Content-Disposition', 'attachment; filename="account.json"')
  @Returns('bytes')
  @ErrorResponses(404)
  async read(@Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<StreamableFile> {
    const document = (await this.accounts.begin(userId, ip)) ?? missing('user', userId);
    return new StreamableFile(Readable.from(document));
  }
}
