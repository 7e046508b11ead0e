import { type Generated, type Selectable } from 'kysely';

/** An order of an account. */
export interface OrderTable {
  id: Generated<number>;
  /** `null` after the account was deleted. */
  accountId: number | null;
  /** Of its lines: bytes of their texts, and 250 for each line. */
  size: Generated<number>;
  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** One line of an order; deleted with it. Primary key: order and position. */
export interface OrderItemTable {
  orderId: number;
  /** From 0, in the order of the request. */
  position: number;
  sku: string;
  quantity: string;
}

/** A selected order. */
export type OrderRow = Selectable<OrderTable>;
/** A selected line of an order. */
export type OrderItemRow = Selectable<OrderItemTable>;
