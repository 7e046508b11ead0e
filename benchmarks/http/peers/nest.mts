/** NestJS as its documentation builds it: ValidationPipe, passport-jwt, ClassSerializerInterceptor. */
import 'reflect-metadata';
import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Header,
  type INestApplication,
  Injectable,
  Module,
  NotFoundException,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { about, secret } from '../serve.mts';
import { type AccountRecord, type ItemRecord, masked, type OrderRecord, store, paginate } from '../store.mts';

class CreateUserDto {
  @IsEmail() email!: string;

  @MinLength(8)
  @MaxLength(256)
  @IsString()
  password!: string;
}

class OrderLineDto {
  @IsString() sku!: string;

  @MinLength(1)
  @IsString()
  quantity!: string;
}

class CreateOrderDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OrderLineDto)
  items!: OrderLineDto[];
}

class PageQueryDto {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  @Type(() => Number)
  limit = 10;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Type(() => Number)
  page = 1;
}

@Exclude()
class UserEntity {
  @Expose() id!: number;
  @Expose() email!: string;

  constructor(record: AccountRecord) {
    Object.assign(this, record);
  }
}

@Exclude()
class ItemEntity {
  @Expose() id!: number;

  @Expose()
  @Transform(({ value }) => masked(value))
  sku!: string;

  @Expose() name!: string;
  @Expose() price!: number;
  @Expose() createdAt!: Date;

  constructor(record: ItemRecord) {
    Object.assign(this, record);
  }
}

class OrderEntity {
  id!: number;
  items!: OrderLineDto[];
  createdAt!: Date;
  @Exclude() accountId!: number;

  constructor(record: OrderRecord) {
    Object.assign(this, record);
  }
}

interface WithCaller {
  readonly user: { readonly userId: number };
}

interface Reply {
  header(name: string, value: string): unknown;
}

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      ignoreExpiration: false,
      secretOrKey: secret,
      algorithms: ['HS256'],
    });
  }

  validate({ sub, username }: { readonly sub: number; readonly username: string }) {
    return { userId: sub, username };
  }
}

@Injectable()
class JwtAuthGuard extends AuthGuard('jwt') {}

@Controller()
class AppController {
  @Get()
  @Header('content-type', 'text/plain; charset=utf-8')
  read(): string {
    return about;
  }

  @Post('users')
  async create(@Body() { email, password }: CreateUserDto, @Res({ passthrough: true }) reply: Reply) {
    const account = await store.insertAccount(email, password);
    reply.header('Location', `/users/${account.id}`);
    return { ok: true, email: account.email };
  }

  @UseGuards(JwtAuthGuard)
  @Get('users/me')
  async me(@Req() { user }: WithCaller) {
    const account = await store.findAccount(user.userId);
    if (!account) throw new NotFoundException();
    return new UserEntity(account);
  }

  @UseGuards(JwtAuthGuard)
  @Get('items')
  async items(@Query() { limit, page }: PageQueryDto, @Res({ passthrough: true }) reply: Reply) {
    const { rows, nextPage, link } = await paginate(limit, page);
    reply.header('Link', link);
    return { items: rows.map((row) => new ItemEntity(row)), page, limit, nextPage };
  }

  @UseGuards(JwtAuthGuard)
  @Post('orders')
  async order(
    @Body() { items }: CreateOrderDto,
    @Req() { user }: WithCaller,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const order = await store.insertOrder(user.userId, items);
    reply.header('Location', `/orders/${order.id}`);
    return new OrderEntity(order);
  }
}

@Module({ imports: [PassportModule], controllers: [AppController], providers: [JwtStrategy] })
export class AppModule {}

/** Applies the global setup from the documentation. */
export function asDocumented(app: INestApplication): void {
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
}
