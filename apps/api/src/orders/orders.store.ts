import { Database, inTransaction, type OrderItemRow, type OrderRow, type Queries } from '@app/persistence';
import type { Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { CreateOrder } from './orders.dto';

/** An order with its lines, in the order in which they were sent. */
export type WholeOrder = OrderRow & { readonly items: OrderItemRow[] };

@Injectable()
export class OrdersStore {
  constructor(private readonly db: Database) {}

  /** Another's order is as unknown as one that was never made. */
  async findOwn(accountId: number, id: number, db: Queries = this.db): Promise<WholeOrder | undefined> {
    const order = await db
      .selectFrom('order')
      .selectAll()
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    return order && (await this.withItems([order], db))[0];
  }

  /** Newest first. */
  async listOwn(
    accountId: number,
    { limit, offset, after }: Slice,
    db: Queries = this.db,
  ): Promise<WholeOrder[]> {
    const rows = db
      .selectFrom('order')
      .selectAll()
      .where('accountId', '=', accountId)
      .orderBy('id', 'desc')
      .limit(limit);
    const orders = await (after === undefined ? rows.offset(offset) : rows.where('id', '<', after)).execute();
    return this.withItems(orders, db);
  }

  /** The order and its lines are stored together or not at all. */
  insert(accountId: number, { items }: CreateOrder): Promise<WholeOrder> {
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

  private async withItems(orders: OrderRow[], db: Queries): Promise<WholeOrder[]> {
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
