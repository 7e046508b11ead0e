import { Database, type Queries } from '@app/persistence';
import { Public } from '@app/auth';
import { ById, Returns, Schema } from '@app/contract';
import { ETag, IfMatch, Transaction } from '@app/service';
import { type Client, newEmail, type Reply } from '@app/service/testing';
import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Param,
  ParseIntPipe,
  Patch,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { bootApi } from '../testing/boot-api';

/** How often the class below was written. */
let written = 0;

@Exclude()
class Note {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose()
  @Schema({ type: 'string' })
  @Transform(({ value }: { value: string }) => {
    written += 1;
    return value;
  })
  name!: string;
}

class Renamed {
  @IsString() name!: string;
}

/** Items whose price is the version. */
@Controller('notes')
@Public()
class NotesController {
  constructor(private readonly db: Database) {}

  @Get(':id')
  @ETag({ version: 'price' })
  @Returns(Note)
  read(@Param() { id }: ById, @Transaction() db: Queries = this.db) {
    return db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  @Patch(':id')
  @ETag({ version: 'price' })
  @IfMatch('read', { isRequired: true })
  @Returns(Note)
  rename(@Param() { id }: ById, @Body() { name }: Renamed, @Transaction() db: Queries = this.db) {
    const change = db.updateTable('item').set((item) => ({ name, price: item('price', '+', 1) }));
    return change.where('id', '=', id).returningAll().executeTakeFirstOrThrow();
  }
}

/** A custom parameter decorator of an application. */
const Shelf = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request: FastifyRequest = context.switchToHttp().getRequest();
  return `${context.getClass().name} ${String(request.headers['x-shelf'])}`;
});

@Exclude()
class Place {
  @Expose() shelf!: string;
}

/** The tag of a note depends on what a custom decorator reads. */
@Controller('shelves')
@Public()
class ShelvesController {
  @Get(':id')
  @ETag()
  @Returns(Place)
  read(
    @Shelf() shelf: string,
    @Param('id', new ParseIntPipe()) id: number,
    @Transaction() _db?: Queries,
  ): Place {
    return { shelf: `${id + 1} of ${shelf}` };
  }

  @Patch(':id')
  @IfMatch('read')
  @Returns('text')
  move(@Shelf() shelf: string, @Transaction() _db?: Queries): string {
    return `moved ${shelf}`;
  }
}

describe.each(['compiled', 'nest'] as const)('a conditional request (routes: %s)', (routes) => {
  const api = bootApi({ controllers: [NotesController, ShelvesController], routes });
  let admin: Client;

  beforeAll(async () => {
    admin = await api.administrator();
  });

  async function newItem(): Promise<string> {
    const { headers } = await admin.post('/items', { sku: newEmail('sku'), name: 'Tea', price: 5 });
    return headers.get('location') ?? '';
  }

  const tagOf = ({ headers }: Reply): string => headers.get('etag') ?? '';
  const ifNone = (tag: string) => admin.with({ 'if-none-match': tag });
  const ifMatch = (tag: string) => admin.with({ 'if-match': tag });
  const changed = 'the resource was changed since: read it again, and send its new ETag as If-Match';

  it('is compared with what a reader sends that has a custom parameter decorator', async () => {
    const shelf = admin.with({ 'x-shelf': 'top' });
    const read = await shelf.get('/shelves/7');
    expect([read.status, read.json]).toEqual([200, { shelf: '8 of ShelvesController top' }]);
    const on = (name: string) => admin.with({ 'x-shelf': name, 'if-match': tagOf(read) });
    const moved = await on('top').patch('/shelves/7', {});
    expect([moved.status, moved.text]).toEqual([200, 'moved ShelvesController top']);
    expect((await on('low').patch('/shelves/7', {})).status).toBe(412);
  });

  it('is a 304 without a body while the resource is the same', async () => {
    const path = await newItem();
    const first = await admin.get(path);
    expect(tagOf(first)).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const tag of [tagOf(first), `"other", W/${tagOf(first)}`, '*']) {
      const { status, text, headers } = await ifNone(tag).get(path);
      expect([status, text, headers.get('etag')]).toEqual([304, '', tagOf(first)]);
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
        null,
        'private, no-cache',
      ]);
    }
    expect(await ifNone('"other"').get(path)).toMatchObject({ status: 200, text: first.text });

    await admin.patch(path, { price: 6 });
    const { status, json, headers } = await ifNone(tagOf(first)).get(path);
    expect([status, json.price, headers.get('etag') === tagOf(first)]).toEqual([200, 6, false]);
  });

  it('is a 304 for a list', async () => {
    await newItem();
    const first = await admin.get('/items?limit=1');
    const again = await ifNone(tagOf(first)).get('/items?limit=1');
    expect([again.status, again.text, again.headers.get('link')]).toEqual([
      304,
      '',
      first.headers.get('link'),
    ]);
    expect((await ifNone(tagOf(first)).get('/items?limit=1&page=2')).status).toBe(200);
  });

  it('is answered to HEAD as to GET', async () => {
    const path = await newItem();
    const { headers } = await admin.get(path);
    const head = await admin.send('HEAD', path);
    expect([head.status, tagOf(head)]).toEqual([200, headers.get('etag')]);
    expect((await ifNone(tagOf(head)).send('HEAD', path)).status).toBe(304);
  });

  it('changes and removes only what has the tag', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const change = await ifMatch(read).patch(path, { price: 6 });
    expect([change.status, tagOf(change)]).toEqual([200, tagOf(await admin.get(path))]);

    for (const stale of [read, `W/${read}`, '"other"', '']) {
      const { status, json } = await ifMatch(stale).patch(path, { price: 7 });
      expect([stale, status, json]).toEqual([
        stale,
        412,
        { statusCode: 412, message: changed, error: 'Precondition Failed' },
      ]);
    }
    expect((await ifMatch(read).delete(path)).status).toBe(412);
    expect((await admin.get(path)).json.price).toBe(6);
    expect((await ifMatch('*').patch(path, { price: 8 })).status).toBe(200);
    expect((await ifMatch(tagOf(await admin.get(path))).delete(path)).status).toBe(204);
    expect((await ifMatch('*').delete(path)).status).toBe(404);
  });

  it('is recognised as proxies that compress change it: weak by nginx, with a suffix by Apache', async () => {
    const path = await newItem();
    for (const [at, change] of [
      (tag: string) => `W/${tag}`,
      (tag: string) => tag.replace(/"$/, '-gzip"'),
      (tag: string) => `"other", W/${tag.replace(/"$/, '-br"')}`,
    ].entries()) {
      const seen = change(tagOf(await admin.get(path)));
      expect([seen, (await ifNone(seen).get(path)).status]).toEqual([seen, 304]);
      expect([seen, (await ifNone(seen).patch(path, { price: 9 })).status]).toEqual([seen, 412]);
      expect([seen, (await ifMatch(seen).patch(path, { price: 10 + at })).status]).toEqual([seen, 200]);
      expect([seen, (await ifMatch(seen).patch(path, { price: 20 })).status]).toEqual([seen, 412]);
    }
  });

  it('changes and removes nothing that If-None-Match excludes', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const excluded = 'the resource has an ETag that If-None-Match excludes';
    for (const tags of ['*', read, `W/${read}`, `"other", ${read}`]) {
      const change = await ifNone(tags).patch(path, { price: 6 });
      expect([tags, change.status, change.json]).toEqual([
        tags,
        412,
        { statusCode: 412, message: excluded, error: 'Precondition Failed' },
      ]);
      expect([tags, (await ifNone(tags).delete(path)).status]).toEqual([tags, 412]);
    }
    expect((await admin.get(path)).json.price).toBe(5);
    expect((await ifNone('"other"').patch(path, { price: 6 })).status).toBe(200);
    expect((await ifNone('"other"').delete(path)).status).toBe(204);
    expect((await ifNone('*').patch(path, { price: 7 })).status).toBe(404);
  });

  it('compares If-Match first, then If-None-Match', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const both = (match: string, noneMatch: string) =>
      admin.with({ 'if-match': match, 'if-none-match': noneMatch, accept: 'application/problem+json' });
    const codeOf = async (match: string, noneMatch: string) =>
      (await both(match, noneMatch).patch(path, { price: 6 })).json.code;
    expect(await codeOf('"other"', read)).toBe('precondition-failed');
    expect(await codeOf(read, '*')).toBe('if-none-match-failed');
    expect((await both(read, '"other"').patch(path, { price: 6 })).status).toBe(200);
  });

  it('is still required to have If-Match where the route says so', async () => {
    const path = (await newItem()).replace('items', 'notes');
    expect((await ifNone('"other"').patch(path, { name: 'a' })).status).toBe(428);
  });

  it('lets one of concurrent changes succeed', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const changes = Array.from({ length: 8 }, (_, at) => ifMatch(read).patch(path, { price: 100 + at }));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([
      200, 412, 412, 412, 412, 412, 412, 412,
    ]);
  });

  it('lets one of concurrent changes with keys of their own succeed', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const changes = Array.from({ length: 8 }, (_, at) =>
      ifMatch(read)
        .with({ 'idempotency-key': newEmail('key') })
        .patch(path, { price: 100 + at }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([
      200, 412, 412, 412, 412, 412, 412, 412,
    ]);
  });

  it('is replayed with its key, whatever has changed since', async () => {
    const path = await newItem();
    const read = tagOf(await admin.get(path));
    const client = ifMatch(read).with({ 'idempotency-key': newEmail('key') });
    const first = await client.patch(path, { price: 9 });
    const retry = await client.patch(path, { price: 9 });
    expect([retry.status, retry.text, tagOf(retry)]).toEqual([200, first.text, tagOf(first)]);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is required where the route says so', async () => {
    const path = (await newItem()).replace('items', 'notes');
    expect(await admin.patch(path, { name: 'a' })).toMatchObject({
      status: 428,
      json: {
        statusCode: 428,
        message: 'send the ETag of the resource as If-Match',
        error: 'Precondition Required',
      },
    });
    const read = tagOf(await admin.get(path));
    const change = await ifMatch(read).patch(path, { name: 'a' });
    expect([change.status, tagOf(change)]).toEqual([200, tagOf(await admin.get(path))]);
    expect((await ifMatch(read).patch(path, { name: 'b' })).status).toBe(412);
  });

  it('is a 304 before the body is written if the row has a version', async () => {
    const path = (await newItem()).replace('items', 'notes');
    const read = tagOf(await admin.get(path));
    const before = written;
    const { status, text } = await ifNone(read).get(path);
    expect([status, text, written]).toEqual([304, '', before]);
    expect((await ifNone('"other"').get(path)).json.name).toBe('Tea');
    expect(written).toBe(before + 1);
  });

  it('has no tag if it fails', async () => {
    const { status, headers } = await ifNone('*').get('/items/999999999');
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([404, null, 'no-store']);
  });
});
