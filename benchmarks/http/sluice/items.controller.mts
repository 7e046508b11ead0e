import { Page, type PageOf, PaginationQuery, paginate } from '@app/paging';
import type { ItemRow } from '@app/persistence';
import { UseStrategy } from '@app/auth';
import { Answers, Masked } from '@app/serialization';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { ItemsStore } from '../../../apps/api/src/items/items.store.ts';

/** An item whose `sku` is masked; otherwise as in `api`. */
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
  @Answers(Page(MaskedItem))
  async list(
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageOf<ItemRow>> {
    return paginate(query, reply, (slice) => this.items.list(slice));
  }
}
