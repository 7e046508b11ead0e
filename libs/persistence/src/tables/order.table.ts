import { type Generated, type Insertable, type Selectable } from 'kysely';

/** What an account ordered. */
export interface OrderTable {
  id: Generated<number>;
  /** Who ordered; `null` once that account is removed. */
  accountId: number | null;
  /** Set by the database unless it is given. */
  createdAt: Generated<Date>;
}

/** One line of an order; removed together with it. Primary key: the order and the position. */
export interface OrderItemTable {
  orderId: number;
  /** From 0, as the lines were sent. */
  position: number;
  sku: string;
  /** As it was sent, text and all. */
  quantity: string;
}

/** An order as it is read. */
export type OrderRow = Selectable<OrderTable>;
/** An order as it is written: what has a default may be left out. */
export type NewOrderRow = Insertable<OrderTable>;
/** A line of an order as it is read. */
export type OrderItemRow = Selectable<OrderItemTable>;
/** A line of an order as it is written. */
export type NewOrderItemRow = Insertable<OrderItemTable>;
