import {
  asJson,
  Database,
  givenRows,
  inTransaction,
  jsonRows,
  type OrderRow,
  type Queries,
  statement,
} from '@app/persistence';
import type { Portion, Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import { type Expression, sql } from 'kysely';
import type { CreateOrder, OrderItem } from './orders.dto';

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
    { limit, offset, after }: Slice,
    db: Queries = this.db.replica,
  ): Promise<Portion<OrderWithItems>> {
    const orders = await (after === undefined
      ? pages.all(db, { accountId, limit, offset })
      : nextPages.all(db, { accountId, limit, after }));
    const rows = orders.filter(hasItems);
    return { rows, isCut: rows.length < orders.length };
  }

  /** Inserts the order and its lines, all or none. */
  async insert(accountId: number, { items }: CreateOrder): Promise<OrderWithItems> {
    const order = { accountId, createdAt: new Date(), size: sizeOf(items), items };
    const { id } = await (this.db.dialect === 'postgres'
      ? insertAtOnce.one(this.db, order)
      : inTransaction(this.db, async (db) => {
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

const pages = statement((given: Own & { limit: number; offset: number }, db) =>
  withItems(db, ownOrders(db, given).limit(given.limit).offset(given.offset)),
);

const nextPages = statement((given: Own & { limit: number; after: number }, db) =>
  withItems(db, ownOrders(db, given).where('id', '<', given.after).limit(given.limit)),
);

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

function hasItems(
  order: Omit<OrderWithItems, 'items'> & { items: OrderItem[] | null },
): order is OrderWithItems {
  return order.items !== null;
}
