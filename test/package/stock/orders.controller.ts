import {
  Body,
  ConflictException,
  Controller,
  Get,
  HttpStatus,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  SerializeOptions,
  UsePipes,
} from '@nestjs/common';
import { ValidationPipe } from '@nestjs/common'; // the changed line
import { CreateCode, CreateOrder, Item, ItemView, ListOrders, OrderView } from './orders.dto';

function viewOf(id: number): OrderView {
  const items = Array.from({ length: 3 }, (_, at) =>
    Object.assign(new ItemView(), { sku: `s${at}`, quantity: at + 1 }),
  );
  const more = {
    passwordHash: 'hash',
    card: '41111111',
    note: 'only for staff',
    createdAt: new Date(id * 1e9),
  };
  return new OrderView({ id, email: 'ann@example.org', items, ...more });
}

@Controller('orders')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
export class OrdersController {
  @Post() create(@Body() order: CreateOrder) {
    return { class: order.constructor.name, order, firstItem: order.items[0] instanceof Item };
  }

  @Get() list(@Query() query: ListOrders) {
    return {
      query,
      class: query.constructor.name,
      views: Array.from({ length: query.limit }, (_, at) => viewOf(at)),
    };
  }

  @Get('plain/:id') plain(@Param('id') id: number, @Query('on') isOn: boolean, @Query('q') text: string) {
    return { id, isOn, text, types: [typeof id, typeof isOn, typeof text] };
  }

  @Get('views') views() {
    return Array.from({ length: 20 }, (_, at) => viewOf(at));
  }

  @Get('staff/:id') @SerializeOptions({ groups: ['staff'] }) staff(@Param('id', ParseIntPipe) id: number) {
    return viewOf(id);
  }

  @Get('closed/:id') @SerializeOptions({ strategy: 'excludeAll' }) closed(@Param('id') id: string) {
    return viewOf(Number(id));
  }

  @Get(':id') read(@Param('id') id: number) {
    if (id === 409) throw new ConflictException({ message: 'taken', order: viewOf(1) });
    return viewOf(id);
  }

  @Post('codes') code(@Body() body: CreateCode) {
    return body;
  }

  @Post('lists') items(@Body() items: Item[]) {
    return { items, isList: Array.isArray(items) };
  }

  @Post('anything') anything(@Body() body: Record<string, unknown>) {
    return body;
  }
}

@Controller('checked')
@UsePipes(new ValidationPipe())
export class CheckedController {
  @Post() create(@Body() order: CreateOrder) {
    return { class: order.constructor.name, order };
  }
}

@Controller('stripped')
@UsePipes(new ValidationPipe({ whitelist: true, errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY }))
export class StrippedController {
  @Put() replace(@Body() order: CreateOrder) {
    return { class: order.constructor.name, order };
  }
}

@Controller('strict')
@UsePipes(
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    transformOptions: { enableImplicitConversion: true },
    exceptionFactory: (errors) => new ConflictException({ errors }),
  }),
)
export class StrictController {
  @Post() create(@Body() order: CreateOrder) {
    return { class: order.constructor.name, order };
  }

  @Get(':id') read(@Param('id') id: string, @Query() query: ListOrders) {
    return { id, query };
  }
}
