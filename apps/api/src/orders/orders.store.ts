import {
  asJson,
  Database,
  givenRows,
  inTransaction,
  jsonRows,
  type Queries,
  statement,
} from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { CreateOrder, OrderItem } from './orders.dto';
import type { OrderRow } from './orders.table';

/** An order with its lines, in the order of the request. */
export type OrderWithItems = Pick<OrderRow, 'id' | 'createdAt'> & { readonly items: OrderItem[] };

@Injectable()
export class OrdersStore {
  constructor(private readonly db: Database) {}

  /** Returns the order with its lines, or `undefined` if it does not exist or belongs to a different account. */
  findOwn(accountId: number, id: number, db: Queries = this.db): Promise<OrderWithItems | undefined> {
    return own.first(db, { accountId, id });
  }

  /** Lists the newest orders first. */
  listOwn(accountId: number, slice: Slice, db: Queries = this.db.replica): Promise<OrderWithItems[]> {
    return list(db, slice, { accountId });
  }

  /** Inserts the order and its lines in a single transaction. */
  insert(accountId: number, { items }: CreateOrder, db: Queries = this.db): Promise<OrderWithItems> {
    return inTransaction(db, async (transaction) => {
      const order = await insertOrder.one(transaction, { accountId, createdAt: new Date() });
      await insertLines.count(transaction, { orderId: order.id, items });
      return { ...order, items };
    });
  }
}

const own = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  ordersOf(db, accountId).where('id', '=', id),
);

const list = sortedList(({ accountId }: { accountId: number }, db) => ordersOf(db, accountId), {
  isNewestFirst: true,
});

/** Selects an account's orders, each with its lines as JSON. */
function ordersOf(db: Queries, accountId: number) {
  return db
    .selectFrom('order')
    .select((order) => {
      const lines = order
        .selectFrom('orderItem')
        .select(['sku', 'quantity'])
        .whereRef('orderId', '=', 'order.id')
        .orderBy('position');
      return ['id', 'createdAt', asJson(jsonRows(db, lines, ['sku', 'quantity']), 'items')];
    })
    .where('accountId', '=', accountId);
}

const insertOrder = statement(({ accountId, createdAt }: { accountId: number; createdAt: Date }, db) =>
  db.insertInto('order').values({ accountId, createdAt }).returning(['id', 'createdAt']),
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
