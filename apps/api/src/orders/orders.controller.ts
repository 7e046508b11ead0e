import type { SignedInUser } from '@app/accounts';
import { Caller } from '@app/auth';
import { Page, PaginationQuery, paginate } from '@app/paging';
import type { Queries } from '@app/persistence';
import { ById, Returns } from '@app/contract';
import { ETag, Idempotent, missing, Transaction } from '@app/service';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CreateOrder, Order } from './orders.dto';
import { OrdersStore, type OrderWithItems } from './orders.store';

/** The caller's orders. */
@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersStore) {}

  /** Places an order. */
  @Post()
  @Idempotent()
  @Returns(Order)
  async create(
    @Body() body: CreateOrder,
    @Caller() { userId }: SignedInUser,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Transaction() db?: Queries,
  ): Promise<OrderWithItems> {
    const order = await this.orders.insert(userId, body, db);
    void reply.header('Location', `/orders/${order.id}`);
    return order;
  }

  /** Lists the caller's orders. */
  @Get()
  @ETag()
  @Returns(Page(Order))
  async list(
    @Query() query: PaginationQuery,
    @Caller() { userId }: SignedInUser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.orders.listOwn(userId, slice));
  }

  /** Returns an order that the caller placed. */
  @Get(':id')
  @ETag()
  @Returns(Order)
  async read(@Param() { id }: ById, @Caller() { userId }: SignedInUser): Promise<OrderWithItems> {
    return (await this.orders.findOwn(userId, id)) ?? missing('order', id);
  }
}
