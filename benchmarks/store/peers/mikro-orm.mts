/** NestJS on Fastify with MikroORM, as their documentation builds it. */
import 'reflect-metadata';
import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Header,
  Module,
  NotFoundException,
  Post as HttpPost,
  Query,
  Req,
  Res,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { about, port } from '../../http/serve.mts';
import { Account, Item, options, Order, OrderItem, Post } from './mikro-orm-entities.mts';
import {
  CreateOrderDto,
  CreatePostDto,
  JwtAuthGuard,
  JwtStrategy,
  PageQueryDto,
  type Reply,
  type WithCaller,
} from './nest-parts.mts';

@Controller()
class AppController {
  constructor(private readonly em: EntityManager) {}

  @Get()
  @Header('content-type', 'text/plain; charset=utf-8')
  read(): string {
    return about;
  }

  @UseGuards(JwtAuthGuard)
  @Get('users/me')
  async me(@Req() { user }: WithCaller): Promise<Account> {
    const account = await this.em.findOne(Account, user.userId);
    if (!account) throw new NotFoundException();
    return account;
  }

  @UseGuards(JwtAuthGuard)
  @Get('items')
  async listItems(@Query() { limit, page }: PageQueryDto) {
    const portion = { orderBy: { id: 'asc' }, limit: limit + 1, offset: (page - 1) * limit } as const;
    const rows = await this.em.find(Item, {}, portion);
    return { items: rows.slice(0, limit), page, limit, nextPage: rows.length > limit ? page + 1 : null };
  }

  @UseGuards(JwtAuthGuard)
  @Get('orders')
  async listOrders(@Query() { limit, page }: PageQueryDto, @Req() { user }: WithCaller) {
    const rows = await this.em.find(
      Order,
      { accountId: user.userId },
      { populate: ['items'], orderBy: { id: 'desc' }, limit: limit + 1, offset: (page - 1) * limit },
    );
    return { items: rows.slice(0, limit), page, limit, nextPage: rows.length > limit ? page + 1 : null };
  }

  /** Creates an order. A flush is a single transaction. */
  @UseGuards(JwtAuthGuard)
  @HttpPost('orders')
  async createOrder(
    @Body() { items }: CreateOrderDto,
    @Req() { user }: WithCaller,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Order> {
    const order = this.em.create(Order, { accountId: user.userId, createdAt: new Date() });
    for (const [position, { sku, quantity }] of items.entries())
      this.em.create(OrderItem, { order, position, sku, quantity });
    await this.em.flush();
    reply.header('Location', `/orders/${order.id}`);
    return order;
  }

  @UseGuards(JwtAuthGuard)
  @HttpPost('posts')
  async createPost(
    @Body() { slug }: CreatePostDto,
    @Req() { user }: WithCaller,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Post> {
    const post = this.em.create(Post, { slug, authorId: user.userId, createdAt: new Date() });
    await this.em.flush().catch((error: unknown) => {
      throw error instanceof UniqueConstraintViolationException ? new ConflictException() : error;
    });
    reply.header('Location', `/posts/${slug}`);
    return post;
  }
}

@Module({
  imports: [PassportModule, MikroOrmModule.forRoot(options)],
  controllers: [AppController],
  providers: [JwtStrategy],
})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: false,
});
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
await app.listen(port, '127.0.0.1');
