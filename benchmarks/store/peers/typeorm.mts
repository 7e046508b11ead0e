/** NestJS on Express with TypeORM, as their documentation builds it. */
import 'reflect-metadata';
import {
  Body,
  ClassSerializerInterceptor,
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
import { NestFactory, Reflector } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, QueryFailedError, Repository } from 'typeorm';
import { about, port } from '../../http/serve.mts';
import {
  CreateOrderDto,
  CreatePostDto,
  JwtAuthGuard,
  JwtStrategy,
  PageQueryDto,
  type Reply,
  type WithCaller,
} from './nest-parts.mts';
import { Account, entities, Item, Order, OrderItem, Post, source } from './typeorm-entities.mts';

@Controller()
class AppController {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    @InjectRepository(Item) private readonly items: Repository<Item>,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectRepository(Post) private readonly posts: Repository<Post>,
    @InjectDataSource() private readonly db: DataSource,
  ) {}

  @Get()
  @Header('content-type', 'text/plain; charset=utf-8')
  read(): string {
    return about;
  }

  @UseGuards(JwtAuthGuard)
  @Get('users/me')
  async me(@Req() { user }: WithCaller): Promise<Account> {
    const account = await this.accounts.findOneBy({ id: user.userId });
    if (!account) throw new NotFoundException();
    return account;
  }

  @UseGuards(JwtAuthGuard)
  @Get('items')
  async listItems(@Query() { limit, page }: PageQueryDto) {
    const rows = await this.items.find({ order: { id: 'ASC' }, take: limit + 1, skip: (page - 1) * limit });
    return { items: rows.slice(0, limit), page, limit, nextPage: rows.length > limit ? page + 1 : null };
  }

  /** Lists orders. The lines have their own query, because a join with `take` returned two orders instead of ten. */
  @UseGuards(JwtAuthGuard)
  @Get('orders')
  async listOrders(@Query() { limit, page }: PageQueryDto, @Req() { user }: WithCaller) {
    const rows = await this.orders.find({
      where: { accountId: user.userId },
      relations: { items: true },
      relationLoadStrategy: 'query',
      order: { id: 'DESC' },
      take: limit + 1,
      skip: (page - 1) * limit,
    });
    for (const { items } of rows) items.sort((left, right) => left.position - right.position);
    return { items: rows.slice(0, limit), page, limit, nextPage: rows.length > limit ? page + 1 : null };
  }

  @UseGuards(JwtAuthGuard)
  @HttpPost('orders')
  async createOrder(
    @Body() { items }: CreateOrderDto,
    @Req() { user }: WithCaller,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Order> {
    const inserted = await this.db.transaction(async (manager) => {
      const order = await manager.save(
        manager.create(Order, { accountId: user.userId, createdAt: new Date() }),
      );
      const rows = items.map(({ sku, quantity }, position) => ({
        sku,
        quantity,
        position,
        orderId: order.id,
      }));
      await manager.insert(OrderItem, rows);
      order.items = manager.create(OrderItem, rows);
      return order;
    });
    reply.header('Location', `/orders/${inserted.id}`);
    return inserted;
  }

  @UseGuards(JwtAuthGuard)
  @HttpPost('posts')
  async createPost(
    @Body() { slug }: CreatePostDto,
    @Req() { user }: WithCaller,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Post> {
    const post = this.posts.create({ slug, authorId: user.userId, createdAt: new Date() });
    await this.posts.save(post).catch((error: unknown) => {
      throw error instanceof QueryFailedError ? new ConflictException() : error;
    });
    reply.header('Location', `/posts/${slug}`);
    return post;
  }
}

@Module({
  imports: [PassportModule, TypeOrmModule.forRoot(source), TypeOrmModule.forFeature(entities)],
  controllers: [AppController],
  providers: [JwtStrategy],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
await app.listen(port, '127.0.0.1');
