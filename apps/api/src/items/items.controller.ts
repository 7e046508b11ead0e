import { Roles, Scopes, UseStrategy } from '@app/auth';
import { ById, ErrorResponses, Returns } from '@app/contract';
import { Page, paginate } from '@app/paging';
import type { Queries } from '@app/persistence';
import {
  ETag,
  Idempotent,
  IfMatch,
  missing,
  ValueConflictError,
  unlessTaken,
  Transaction,
} from '@app/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CreateItem, Item, ItemsQuery, UpdateItem } from './items.dto';
import { ItemsStore } from './items.store';
import type { ItemRow } from './items.table';

/** The items for sale. */
@Controller('items')
@UseStrategy('jwt', 'api-key')
export class ItemsController {
  constructor(private readonly items: ItemsStore) {}

  /** Lists the items for sale. */
  @Get()
  @Scopes('items:read')
  @ETag()
  @Returns(Page(Item))
  async list(@Query() query: ItemsQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.items.list(slice));
  }

  /** Returns an item. */
  @Get(':id')
  @Scopes('items:read')
  @ETag()
  @Returns(Item)
  async read(@Param() { id }: ById, @Transaction() db?: Queries): Promise<ItemRow> {
    return (await this.items.findById(id, db)) ?? missing('item', id);
  }

  /** Adds an item. */
  @Post()
  @Roles('admin')
  @Scopes('items:write')
  @Idempotent()
  @Returns(Item)
  @ErrorResponses(ValueConflictError)
  async create(
    @Body() body: CreateItem,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Transaction() db?: Queries,
  ): Promise<ItemRow> {
    const item = await unlessTaken('item_sku_unique', 'sku', this.items.insert(body, db));
    void reply.header('Location', `/items/${item.id}`);
    return item;
  }

  /** Changes an item. Absent members keep their values. */
  @Patch(':id')
  @Roles('admin')
  @Scopes('items:write')
  @Idempotent()
  @ETag()
  @IfMatch('read')
  @Returns(Item)
  @ErrorResponses(ValueConflictError)
  async update(
    @Param() { id }: ById,
    @Body() body: UpdateItem,
    @Transaction() db?: Queries,
  ): Promise<ItemRow> {
    const item = await unlessTaken('item_sku_unique', 'sku', this.items.update(id, body, db));
    return item ?? missing('item', id);
  }

  /** Deletes an item. */
  @Delete(':id')
  @Roles('admin')
  @Scopes('items:write')
  @IfMatch('read')
  @HttpCode(204)
  async remove(@Param() { id }: ById, @Transaction() db?: Queries): Promise<void> {
    if (!(await this.items.remove(id, db))) missing('item', id);
  }
}
