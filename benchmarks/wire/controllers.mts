import { Public } from '@app/auth';
import { Filterable, Page, paginate, PaginationQuery, Sortable } from '@app/paging';
import type { Queries } from '@app/persistence';
import { ById, IfGiven, NoLongerThan, Returns, RowId } from '@app/contract';
import { ETag, Idempotent, IfMatch, missing, Transaction } from '@app/service';
import { Upload, type UploadedFile } from '@app/uploads';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';

@Exclude()
class Thing {
  @Expose() id!: number;
  @Expose() name!: string;
  @Expose() createdAt!: Date;
}

class CreateThing {
  @NoLongerThan(200) name!: string;
  @IsInt() @Min(0) @Max(1000) count!: number;
}

@Sortable(Thing, 'name', 'createdAt')
@Filterable('ownerId')
class ThingsQuery extends PaginationQuery {
  @IfGiven() @RowId() ownerId?: number;
}

const createdAt = new Date('2026-11-21T09:30:00Z');
const things: readonly Thing[] = Array.from({ length: 11 }, (_, n) => ({
  id: n + 1,
  name: 'a thing',
  createdAt,
}));

/** The measured routes, which use no feature. */
@Controller('plain')
@Public()
export class PlainController {
  @Get(':id')
  @Returns(Thing)
  read(@Param() { id }: ById): Thing {
    return { id, name: 'a thing', createdAt };
  }

  @Post()
  @Returns(Thing)
  create(@Body() { name }: CreateThing): Thing {
    return { id: 1, name, createdAt };
  }
}

/** A list in a fixed order, without filters. */
@Controller('list')
@Public()
export class ListController {
  @Get()
  @Returns(Page(Thing))
  list(@Query() query: PaginationQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, async () => [...things]);
  }
}

/** The same list with declared orders and filters. */
@Controller('list')
@Public()
export class SortedListController {
  @Get()
  @Returns(Page(Thing))
  list(@Query() query: ThingsQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, async () => [...things]);
  }
}

/** Routes that accept `Idempotency-Key`. */
@Controller('idempotent')
export class IdempotentController {
  @Post()
  @Idempotent()
  @Returns(Thing)
  create(@Body() { name }: CreateThing, @Transaction() _db?: Queries): Thing {
    return { id: 1, name, createdAt };
  }
}

/** Routes with an `ETag`, and changes that compare it. */
@Controller('conditional')
export class ConditionalController {
  @Get(':id')
  @ETag()
  @Returns(Thing)
  read(@Param() { id }: ById, @Transaction() _db?: Queries): Thing {
    return things[id - 1] ?? missing('thing', id);
  }

  @Patch(':id')
  @ETag()
  @IfMatch('read')
  @Returns(Thing)
  update(@Param() { id }: ById, @Body() { name }: CreateThing, @Transaction() _db?: Queries): Thing {
    return { id, name, createdAt };
  }

  @Delete(':id')
  @IfMatch('read')
  @HttpCode(204)
  @Returns('nothing')
  remove(@Param() { id }: ById, @Transaction() _db?: Queries): void {
    if (things[id - 1] === undefined) missing('thing', id);
  }
}

/** A route that receives a file. */
@Controller('uploads')
export class UploadController {
  @Put()
  @Returns('nothing')
  replace(@Upload({ maxBytes: 1000 }) _file: UploadedFile): void {}
}
