import { randomUUID } from 'node:crypto';
import { Database, type Queries } from '@app/persistence';
import { Idempotent, Transaction } from '@app/service';
import { type Client, newEmail, type Reply, sweepStoredResponses } from '@app/service/testing';
import { Returns } from '@app/contract';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsDefined, IsString, ValidateNested } from 'class-validator';
import { bootApi } from '../testing/boot-api';
import { bootPair } from '../testing/boot-pair';

class Note {
  @IsString() text!: string;
}

class Letter {
  @IsString() text!: string;
}

class Parcel extends Letter {}

class Sending {
  @IsDefined()
  @ValidateNested()
  @Type(() => Letter, {
    discriminator: {
      property: 'as',
      subTypes: [
        { name: 'letter', value: Letter },
        { name: 'parcel', value: Parcel },
      ],
    },
  })
  sending!: Letter;
}

/** The promise that a handler below waits for. */
const newGate = () => ({ entered: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() });
let gate = newGate();

@Controller('notes')
class NotesController {
  constructor(private readonly db: Database) {}

  @Post('waiting')
  @Idempotent()
  @Returns('text')
  async wait(@Body() { text }: Note, @Transaction() _db?: Queries): Promise<string> {
    gate.entered.resolve();
    await gate.opened.promise;
    return `waited for ${text}`;
  }

  @Post('sendings')
  @Idempotent()
  @Returns('text')
  send(@Body() { sending }: Sending, @Transaction() _db?: Queries): string {
    return `${sending.constructor.name} ${sending.text}`;
  }

  @Post('failing')
  @Idempotent()
  @Returns('nothing')
  @HttpCode(204)
  async fail(@Body() { text }: Note, @Transaction() db: Queries = this.db): Promise<void> {
    await db.insertInto('item').values({ sku: text, name: text, price: 1 }).execute();
    throw new Error('after the effect');
  }

  @Post('silent')
  @Idempotent()
  @Returns('nothing')
  @HttpCode(204)
  async keepSilent(@Body() { text }: Note, @Transaction() db: Queries = this.db): Promise<void> {
    await db.insertInto('item').values({ sku: text, name: text, price: 1 }).execute();
  }
}

describe.each(['compiled', 'nest'] as const)('a request with an Idempotency-Key (routes: %s)', (routes) => {
  const api = bootApi({ controllers: [NotesController], routes });
  let admin: Client;

  beforeAll(async () => {
    admin = await api.administrator();
  });

  const withKey = (key: string = randomUUID(), client = admin) => client.with({ 'idempotency-key': key });
  const anItem = () => ({ sku: newEmail('sku'), name: 'Tea', price: 5 });
  const sending = (as: string) => ({ sending: { as, text: 'Tea' } });
  const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed');

  async function countOf(sku: string): Promise<number> {
    const db = api.app().get(Database, { strict: false });
    const rows = await db.selectFrom('item').select('id').where('sku', '=', sku).execute();
    return rows.length;
  }

  it('is another one if it differs in what the pipe removes', async () => {
    const client = withKey();
    const first = await client.post('/notes/sendings', sending('letter'));
    const retry = await client.post('/notes/sendings', sending('letter'));
    const otherReply = await client.post('/notes/sendings', sending('parcel'));
    expect([first.text, retry.text, replayed(retry), otherReply.status]).toEqual([
      'Letter Tea',
      'Letter Tea',
      'true',
      422,
    ]);
  });

  it('is done once, and a retry gets the same response', async () => {
    const [client, item] = [withKey(), anItem()];
    const first = await client.post('/items', item);
    const retry = await client.post('/items', item);

    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([retry.status, replayed(retry), retry.text]).toEqual([201, 'true', first.text]);
    for (const name of ['location', 'content-type', 'content-length'])
      expect([name, retry.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(retry.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await countOf(item.sku)).toBe(1);
  });

  it('is done once if it has no body to send', async () => {
    const [client, text] = [withKey(), newEmail('sku')];
    const replies = [
      await client.post('/notes/silent', { text }),
      await client.post('/notes/silent', { text }),
    ];
    expect(replies.map((reply) => [reply.status, reply.text, replayed(reply)])).toEqual([
      [204, '', null],
      [204, '', 'true'],
    ]);
  });

  it('is done once in changes of several tables, and in those of one row', async () => {
    const [client, items] = [withKey(), { items: [{ sku: 'tea', quantity: '2' }] }];
    const orders = [await client.post('/orders', items), await client.post('/orders', items)];
    expect(orders[1]?.json).toEqual(orders[0]?.json);

    const { json } = await admin.post('/items', anItem());
    const [patch, price] = [withKey(), { price: 7 }];
    await patch.patch(`/items/${json.id}`, price);
    await admin.patch(`/items/${json.id}`, { price: 8 });
    const retry = await patch.patch(`/items/${json.id}`, price);
    expect([retry.json.price, replayed(retry)]).toEqual([7, 'true']);
    expect((await admin.get(`/items/${json.id}`)).json.price).toBe(8);
  });

  it('makes one row in a hundred parallel retries', async () => {
    const [client, item] = [withKey(), anItem()];
    const post = async (): Promise<Reply> => {
      for (;;) {
        const reply = await client.post('/items', item);
        if (reply.status !== 409) return reply;
        expect([reply.json.message, reply.headers.get('retry-after')]).toEqual([
          'a request with this Idempotency-Key is in progress, try again shortly',
          '1',
        ]);
      }
    };
    const replies = await Promise.all(Array.from({ length: 100 }, post));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter((reply) => replayed(reply) === null)).toHaveLength(1);
    expect(await countOf(item.sku)).toBe(1);
  });

  it('is a 409 while the first one is in progress, and its response afterwards', async () => {
    gate = newGate();
    const [client, note] = [withKey(), { text: 'tea' }];
    const first = client.post('/notes/waiting', note);
    await gate.entered.promise;
    expect((await client.post('/notes/waiting', note)).status).toBe(409);
    gate.opened.resolve();
    expect((await first).text).toBe('waited for tea');
    const retry = await client.post('/notes/waiting', note);
    expect([retry.status, retry.text, retry.headers.get('content-type'), replayed(retry)]).toEqual([
      201,
      'waited for tea',
      'text/plain; charset=utf-8',
      'true',
    ]);
  });

  it('is a 422 if the key belongs to another body or path', async () => {
    const [client, item] = [withKey(), anItem()];
    const { json } = await client.post('/items', item);
    const changed = await client.post('/items', { ...item, price: 6 });
    expect([changed.status, changed.json]).toEqual([
      422,
      {
        statusCode: 422,
        message: 'this Idempotency-Key belongs to a request with another path or body: send a new key',
        error: 'Unprocessable Entity',
      },
    ]);
    expect((await client.patch(`/items/${json.id}`, { price: 6 })).status).toBe(200);
    const another = await admin.post('/items', anItem());
    expect((await client.patch(`/items/${another.json.id}`, { price: 6 })).status).toBe(422);
  });

  it('is one of its caller', async () => {
    const [key, slug] = [randomUUID(), newEmail('slug').replaceAll(/\W/g, '-').toLowerCase()];
    const [ada, bob] = [await api.newcomer(), await api.newcomer()];
    expect((await withKey(key, ada).post('/posts', { slug })).status).toBe(201);
    const { status, headers } = await withKey(key, bob).post('/posts', { slug });
    expect([status, headers.get('idempotent-replayed')]).toEqual([409, null]);
    expect((await withKey(key, api()).post('/posts', { slug })).status).toBe(401);
  });

  it('leaves nothing behind if it fails, and can be repeated', async () => {
    const [client, item] = [withKey(), anItem()];
    expect((await client.post('/items', { ...item, price: -1 })).status).toBe(400);
    const taken = await admin.post('/items', item);
    expect((await client.post('/items', item)).json.message).toBe('sku is already taken');
    await admin.delete(`/items/${taken.json.id}`);
    expect((await client.post('/items', item)).status).toBe(201);

    const text = newEmail('sku');
    expect((await withKey().post('/notes/failing', { text })).status).toBe(500);
    expect(await countOf(text)).toBe(0);
  });

  it('is a 400 if the key is no key', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256), 'ü'])
      expect([key, await withKey(key).post('/items', anItem())]).toMatchObject([
        key,
        { status: 400, json: { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' } },
      ]);
  });

  it('is remembered for a day, and deleted then', async () => {
    const [client, item] = [withKey(), anItem()];
    await client.post('/items', item);
    const db = api.app().get(Database, { strict: false });
    const age = async (hours: number) => {
      const createdAt = new Date(Date.now() - hours * 3_600_000);
      await db.updateTable('idempotencyKey').set({ createdAt }).execute();
    };
    const sweep = () => sweepStoredResponses(api.app());
    const kept = async () => (await db.selectFrom('idempotencyKey').select('id').execute()).length;

    await age(23);
    await sweep();
    expect(replayed(await client.post('/items', item))).toBe('true');
    await age(25);
    expect((await client.post('/items', item)).json.message).toBe('sku is already taken');
    const otherItem = { ...item, sku: newEmail('sku') };
    expect((await client.post('/items', otherItem)).status).toBe(201);
    expect(replayed(await client.post('/items', otherItem))).toBe('true');
    await age(25);
    await sweep();
    expect(await kept()).toBe(0);
  });
});

describe('a request with an Idempotency-Key to two programs', () => {
  const pair = bootPair();

  it('is done once', async () => {
    const [email, password, key] = [newEmail(), 'correct horse battery staple', randomUUID()];
    await pair(0).post('/users', { email, password });
    const signIn = async (which: 0 | 1) =>
      (await pair(which).signIn(email, password)).with({ 'idempotency-key': key });
    const [first, second] = [await signIn(0), await signIn(1)];
    const post = async (client: Client): Promise<Reply> => {
      for (;;) {
        const reply = await client.post('/orders', { items: [{ sku: 'tea', quantity: '2' }] });
        if (reply.status !== 409) return reply;
      }
    };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post(at % 2 === 0 ? first : second)),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await first.get('/orders')).json.items).toHaveLength(1);
  });
});
