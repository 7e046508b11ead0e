import { missing } from '@app/http-errors';
import { Caller, DirectSignIn, Recent, Roles } from '@app/auth';
import { Page, PaginationQuery, paginate } from '@app/paging';
import { ById, Returns, RowId } from '@app/contract';
import { Controller, Delete, Get, HttpCode, Ip, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AccountsStore } from '../account/accounts.store';
import { ApiKey } from '../api-keys/api-keys.dto';
import { ApiKeys, listedKey } from '../api-keys/api-keys';
import type { SignedInUser } from '../access/access-check';

/** The path parameters for a user's API key. */
class ByUserAndKey extends ById {
  @RowId() key!: number;
}

/** A user's API keys, for administrators. */
@Controller('users/:id/api-keys')
@Roles('admin')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeys,
    private readonly accounts: AccountsStore,
  ) {}

  /** Lists a user's API keys, masked. */
  @Get()
  @Returns(Page(ApiKey))
  async list(
    @Param() { id }: ById,
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, async (slice) => (await this.keys.list(id, slice)).map(listedKey));
  }

  /** Revokes all the user's API keys. */
  @Delete()
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async removeAll(
    @Param() { id }: ById,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    if ((await this.accounts.stateOf(id)) === undefined) missing('user', id);
    await this.keys.revokeAll(id, { id: actorId, client: { ip } });
  }

  /** Revokes a user's API key. */
  @Delete(':key')
  @DirectSignIn(false)
  @Recent('15m')
  @HttpCode(204)
  async remove(
    @Param() { id, key }: ByUserAndKey,
    @Caller() { userId: actorId }: SignedInUser,
    @Ip() ip: string,
  ): Promise<void> {
    if (!(await this.keys.revoke(id, key, { id: actorId, client: { ip } }))) missing('key', key);
  }
}
