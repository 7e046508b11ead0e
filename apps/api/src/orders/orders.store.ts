import {
  asJson,
  Database,
  givenRows,
  inTransaction,
  jsonRows,
  type Queries,
  type Statement,
  statement,
} from '@app/persistence';
import type { Portion, Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import { type Expression, sql } from 'kysely';
import type { CreateOrder, OrderItem } from './orders.dto';
import type { OrderRow } from './orders.table';

/** An order with its lines, in the order of the request. */
export type OrderWithItems = Pick<OrderRow, 'id' | 'createdAt'> & { readonly items: OrderItem[] };

/** Sum of the sizes of the orders on a page; a larger order is a page of its own. */
const maxSizeAtOnce = 256 * 1024;
/** What a line costs besides the bytes of its texts; as in the migration that added the column `size`. */
const lineSize = 250;

@Injectable()
export class OrdersStore {
  constructor(private readonly db: Database) {}

  /** `undefined` also for another account's order. */
  findOwn(accountId: number, id: number, db: Queries = this.db): Promise<OrderWithItems | undefined> {
    return own.first(db, { accountId, id });
  }

  /** Newest first; fewer than `limit` if they are large. Only the lines of the page are read. */
  async listOwn(
    accountId: number,
    slice: Slice,
    db: Queries = this.db.replica,
  ): Promise<Portion<OrderWithItems>> {
    const share = Math.floor(maxSizeAtOnce / slice.limit);
    const small = await readPage(db, { accountId, share }, slice, smallPages);
    if (small.every(hasItems)) return { rows: small, isCut: false };
    const orders = await readPage(db, { accountId }, slice, anyPages);
    const rows = orders.filter(hasItems);
    return { rows, isCut: rows.length < orders.length };
  }

  /** Inserts the order and its lines, all or none. */
  async insert(
    accountId: number,
    { items }: CreateOrder,
    queries: Queries = this.db,
  ): Promise<OrderWithItems> {
    const order = { accountId, createdAt: new Date(), size: sizeOf(items), items };
    const { id } = await (this.db.dialect === 'postgres'
      ? insertAtOnce.one(queries, order)
      : inTransaction(queries, async (db) => {
          const made = await insertOrder.one(db, order);
          await insertLines.count(db, { orderId: made.id, items });
          return made;
        }));
    return { id, createdAt: order.createdAt, items };
  }
}

interface Own {
  readonly accountId: number;
}

interface NewOrder extends Own {
  readonly createdAt: Date;
  readonly size: number;
  readonly items: OrderItem[];
}

const own = statement(({ accountId, id }: Own & { id: number }, db) =>
  db
    .selectFrom('order')
    .select((order) => ['id', 'createdAt', asJson(linesOf(db, order.ref('order.id')), 'items')])
    .where('id', '=', id)
    .where('accountId', '=', accountId),
);

/** The two statements of a list. */
interface Pages<Given> {
  readonly first: Statement<Given & { limit: number; offset: number }, PageRow>;
  readonly next: Statement<Given & { limit: number; after: number }, PageRow>;
}

/** `null` for the lines of an order that were not read. */
type PageRow = Omit<OrderWithItems, 'items'> & { readonly items: OrderItem[] | null };

function readPage<Given extends Own>(
  db: Queries,
  given: Given,
  { limit, offset, after }: Slice,
  { first, next }: Pages<Given>,
): Promise<PageRow[]> {
  return after === undefined
    ? first.all(db, { ...given, limit, offset })
    : next.all(db, { ...given, limit, after });
}

/** Orders of which each has its share of the size of a page: most pages, and without a sum over their rows. */
const smallPages: Pages<Own & { share: number }> = {
  first: statement((given, db) => withSmallItems(db, firstOrders(db, given), given.share)),
  next: statement((given, db) => withSmallItems(db, nextOrders(db, given), given.share)),
};

const anyPages: Pages<Own> = {
  first: statement((given, db) => withItems(db, firstOrders(db, given))),
  next: statement((given, db) => withItems(db, nextOrders(db, given))),
};

const insertOrder = statement(({ accountId, createdAt, size }: NewOrder, db) =>
  db.insertInto('order').values({ accountId, createdAt, size }).returning('id'),
);

const insertLines = statement(({ orderId, items }: { orderId: number; items: OrderItem[] }, db) =>
  db
    .insertInto('orderItem')
    .columns(['orderId', 'position', 'sku', 'quantity'])
    .expression(
      db
        .selectFrom(givenRows(db, items, ['sku', 'quantity']))
        .select([sql.val(orderId).as('orderId'), 'position', 'sku', 'quantity']),
    ),
);

/** PostgreSQL inserts both by one statement, which SQLite cannot. */
const insertAtOnce = statement(({ accountId, createdAt, size, items }: NewOrder, db) =>
  db
    .with('made', (insert) =>
      insert.insertInto('order').values({ accountId, createdAt, size }).returning('id'),
    )
    .with('lines', (insert) =>
      insert
        .insertInto('orderItem')
        .columns(['orderId', 'position', 'sku', 'quantity'])
        .expression(
          insert
            .selectFrom(['made', givenRows(db, items, ['sku', 'quantity'])])
            .select(['made.id', 'given.position', 'given.sku', 'given.quantity']),
        ),
    )
    .selectFrom('made')
    .select('id'),
);

/** An account's orders with the size of their lines. */
function ownOrders(db: Queries, { accountId }: Own) {
  return db
    .selectFrom('order')
    .select(['id', 'createdAt', 'size'])
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc');
}

function firstOrders(db: Queries, given: Own & { limit: number; offset: number }) {
  return ownOrders(db, given).limit(given.limit).offset(given.offset);
}

function nextOrders(db: Queries, given: Own & { limit: number; after: number }) {
  return ownOrders(db, given).where('id', '<', given.after).limit(given.limit);
}

/** The lines of the orders up to a size, and `null` for the others. */
function withSmallItems(db: Queries, orders: ReturnType<typeof ownOrders>, maxSize: number) {
  return db
    .selectFrom(orders.as('page'))
    .select((page) => {
      const items = linesOf(db, page.ref('page.id'));
      const ifSmall = page.case().when('size', '<=', maxSize).then(items).else(null).end();
      return ['id', 'createdAt', asJson(ifSmall, 'items')];
    })
    .orderBy('id', 'desc');
}

/** The lines of as many orders as may be read at once, and `null` for the others. */
function withItems(db: Queries, orders: ReturnType<typeof ownOrders>) {
  return db
    .selectFrom(orders.as('page'))
    .select((page) => {
      const total = page.fn.sum<number>('size').over((over) => over.orderBy('id', 'desc'));
      const fits = page.or([page(total, '<=', sql.lit(maxSizeAtOnce)), page(total, '=', page.ref('size'))]);
      const items = linesOf(db, page.ref('page.id'));
      return ['id', 'createdAt', asJson(page.case().when(fits).then(items).else(null).end(), 'items')];
    })
    .orderBy('id', 'desc');
}

function linesOf(db: Queries, orderId: Expression<number>): Expression<OrderItem[]> {
  const lines = db
    .selectFrom('orderItem')
    .select(['sku', 'quantity'])
    .where('orderId', '=', orderId)
    .orderBy('position');
  return jsonRows(db, lines, ['sku', 'quantity']);
}

function sizeOf(items: readonly OrderItem[]): number {
  let size = 0;
  for (const { sku, quantity } of items)
    size += Buffer.byteLength(sku) + Buffer.byteLength(quantity) + lineSize;
  return size;
}

function hasItems(order: PageRow): order is OrderWithItems {
  return order.items !== null;
}
