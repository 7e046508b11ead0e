import { Page, type PageOf, PaginationQuery, paginate } from '@app/paging';
import { UseStrategy } from '@app/auth';
import { Returns } from '@app/contract';
import { Masked } from '@app/engine';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { ItemsStore } from '../../../apps/api/src/items/items.store.ts';
import type { ItemRow } from '../../../apps/api/src/items/items.table.ts';

/** An item with a masked `sku`. It otherwise equals the item in `api`. */
@Exclude()
class MaskedItem {
  @Expose() id!: number;
  @Expose() @Masked() sku!: string;
  @Expose() name!: string;
  @Expose() price!: number;
  @Expose() createdAt!: Date;
}

/** The list of items, as in `api`. */
@Controller('items')
@UseStrategy('jwt', 'api-key')
export class ItemsController {
  constructor(private readonly items: ItemsStore) {}

  @Get()
  @Returns(Page(MaskedItem))
  async list(
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageOf<ItemRow>> {
    return paginate(query, reply, (slice) => this.items.list(slice));
  }
}
