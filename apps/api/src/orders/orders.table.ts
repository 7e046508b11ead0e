import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** An order of an account. */
export interface OrderTable {
  id: Generated<number>;
  /** The account, or `null` after it was deleted. */
  accountId: number | null;
  /** The creation time. It defaults to the time of the insert. */
  createdAt: Generated<Date>;
}

/** A line of an order. It is deleted with the order. The primary key is the order and the position. */
export interface OrderItemTable {
  orderId: number;
  /** The position, counted from 0 in the order of the request. */
  position: number;
  sku: string;
  quantity: string;
}

/** A selected order. */
export type OrderRow = Selectable<OrderTable>;

declare module '@app/persistence' {
  interface Tables {
    order: OrderTable;
    orderItem: OrderItemTable;
  }
}

export const orderTable = defineTable('order', {
  secrecy: { id: 'open', accountId: 'internal', createdAt: 'open' },
  exported: { part: 'orders' },
  migrations: { '0002-orders': { apply: createOrder, tookMs: { sqlite: 466, postgres: 257 } } },
});

export const orderItemTable = defineTable('orderItem', {
  secrecy: { orderId: 'internal', position: 'internal', sku: 'open', quantity: 'open' },
  exported: { part: 'orders' },
});

async function createOrder(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const order = db.schema
    .createTable('order')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now));
  await order.execute();
  await db.schema.createIndex('order_account_id_id').on('order').columns(['account_id', 'id']).execute();
  const line = db.schema
    .createTable('order_item')
    .$call(strictTypes)
    .addColumn('order_id', integer, (column) => column.notNull().references('order.id').onDelete('cascade'))
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('quantity', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('order_item_pkey', ['order_id', 'position']);
  await line.execute();
}
