import { missing } from '@app/http-errors';
import { Caller, DirectSignIn, Recent, Scopes, UseStrategy, Verified } from '@app/auth';
import { ById, ErrorResponses, IfGiven, NoLongerThan, NoMoreThan, Returns } from '@app/contract';
import { Page, PaginationQuery, paginate } from '@app/paging';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Ip,
  Param,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { ArrayMinSize, IsArray, IsIn, IsInt, Max, Min, MinLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { UserClasses } from '../account/user-classes';
import { ApiKey } from './api-keys.dto';
import { type ApiKeyCaller, ApiKeys, listedKey } from './api-keys';
import type { SignedInUser } from '../access/access-check';
import { TooManyApiKeysError } from '../errors';
import { MadeApiKey } from './new-api-keys.dto';

/** Makes the controller for the caller's keys. It requires an access token, so that a leaked key cannot create further keys. */
export function apiKeysController({ scopes: scopeNames }: Pick<UserClasses, 'scopes'>): Type {
  /** The key creation body. */
  class MakeApiKey {
    /** @example deploy script */
    @MinLength(1)
    @NoLongerThan(100)
    name!: string;

    /** The key's lifetime in days; default: unlimited. */
    @IfGiven()
    @IsInt()
    @Min(1)
    @Max(3650)
    expiresInDays?: number;

    /**
     * The scopes that restrict the key; `read` includes `items:read`. Default: full access to the account.
     *
     * @example ["read"]
     */
    @IfGiven()
    @IsArray()
    @ArrayMinSize(1)
    @NoMoreThan(scopeNames.length)
    @IsIn(scopeNames, { each: true })
    scopes?: string[];
  }

  /** The caller's API keys. */
  @Controller('auth/api-keys')
  class ApiKeysController {
    constructor(private readonly keys: ApiKeys) {}

    /** Creates an API key. Only this response has the full key. */
    @Post()
    @DirectSignIn(false)
    @Recent('15m')
    @Verified()
    @Returns(MadeApiKey)
    @ErrorResponses(TooManyApiKeysError)
    async create(
      @Body() { name, expiresInDays, scopes }: MakeApiKey,
      @Caller() caller: SignedInUser,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<MadeApiKey> {
      const { row, key } = await this.keys.create(caller, { name, expiresInDays, scopes }, ip);
      void reply.header('Location', `/auth/api-keys/${row.id}`).header('Cache-Control', 'no-store');
      return { ...listedKey(row), apiKey: key };
    }

    /** Lists the caller's API keys, masked. */
    @Get()
    @Returns(Page(ApiKey))
    async list(
      @Query() query: PaginationQuery,
      @Caller() { userId }: SignedInUser,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      return paginate(query, reply, async (slice) => (await this.keys.list(userId, slice)).map(listedKey));
    }

    /** Returns the request's key. */
    @Get('current')
    @UseStrategy('api-key')
    @Scopes()
    @Returns(ApiKey)
    @ErrorResponses(404)
    async current(@Caller() { userId, keyId }: ApiKeyCaller): Promise<ApiKey> {
      return listedKey((await this.keys.find(userId, keyId)) ?? missing('key', keyId));
    }

    /** Returns the caller's API key, masked. */
    @Get(':id')
    @Returns(ApiKey)
    async read(@Param() { id }: ById, @Caller() { userId }: SignedInUser): Promise<ApiKey> {
      return listedKey((await this.keys.find(userId, id)) ?? missing('key', id));
    }

    /** Revokes the caller's API key. */
    @Delete(':id')
    @DirectSignIn(false)
    @HttpCode(204)
    async remove(@Param() { id }: ById, @Caller() { userId }: SignedInUser, @Ip() ip: string): Promise<void> {
      if (!(await this.keys.revoke(userId, id, { client: { ip } }))) missing('key', id);
    }
  }

  return ApiKeysController;
}
