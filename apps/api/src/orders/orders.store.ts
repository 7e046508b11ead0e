import {
  Database,
  inTransaction,
  type OrderItemRow,
  type OrderRow,
  type Queries,
  type Tables,
} from '@app/persistence';
import { endBySize, type Portion, type Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import type { CreateOrder } from './orders.dto';

/** An order with its lines, in the order of the request. */
export type OrderWithItems = OrderRow & { readonly items: OrderItemRow[] };

/** Lines per page of orders; an order with more is a page of its own. */
const maxLinesAtOnce = 1000;

@Injectable()
export class OrdersStore {
  constructor(private readonly db: Database) {}

  /** `undefined` also for another account's order. */
  async findOwn(accountId: number, id: number, db: Queries = this.db): Promise<OrderWithItems | undefined> {
    const order = await db
      .selectFrom('order')
      .selectAll()
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    return order && (await this.withItems([order], db))[0];
  }

  /** Newest first; fewer than `limit` if they have many lines. Only the lines of the page are read. */
  async listOwn(
    accountId: number,
    { limit, offset, after }: Slice,
    db: Queries = this.db,
  ): Promise<Portion<OrderWithItems>> {
    const query = db
      .selectFrom('order')
      .selectAll()
      .select(lastPosition)
      .where('accountId', '=', accountId)
      .orderBy('id', 'desc')
      .limit(limit);
    const orders = await (
      after === undefined ? query.offset(offset) : query.where('id', '<', after)
    ).execute();
    const { rows, isCut } = endBySize(orders, ({ last }) => (last ?? -1) + 1, maxLinesAtOnce);
    return { rows: await this.withItems(rows, db), isCut };
  }

  /** Inserts the order and its lines in one transaction. */
  insert(accountId: number, { items }: CreateOrder): Promise<OrderWithItems> {
    return inTransaction(this.db, async (db) => {
      const order = await db
        .insertInto('order')
        .values({ accountId, createdAt: new Date() })
        .returningAll()
        .executeTakeFirstOrThrow();
      const lines = items.map(({ sku, quantity }, position) => ({
        orderId: order.id,
        position,
        sku,
        quantity,
      }));
      if (lines.length > 0) await db.insertInto('orderItem').values(lines).execute();
      return { ...order, items: lines };
    });
  }

  private async withItems(orders: OrderRow[], db: Queries): Promise<OrderWithItems[]> {
    if (orders.length === 0) return [];
    const ids = orders.map(({ id }) => id);
    const lines = await db
      .selectFrom('orderItem')
      .selectAll()
      .where('orderId', 'in', ids)
      .orderBy('orderId')
      .orderBy('position')
      .execute();
    const byOrder = Map.groupBy(lines, ({ orderId }) => orderId);
    return orders.map((order) => ({ ...order, items: byOrder.get(order.id) ?? [] }));
  }
}

/** Number of lines minus one, from the index of the primary key. */
function lastPosition(orders: ExpressionBuilder<Tables, 'order'>) {
  return orders
    .selectFrom('orderItem')
    .select(({ fn }) => fn.max('orderItem.position').as('last'))
    .whereRef('orderItem.orderId', '=', 'order.id')
    .as('last');
}
