import { type Generated, type Selectable } from 'kysely';

/** An item of the catalogue. */
export interface ItemTable {
  id: Generated<number>;
  /** Unique (`item_sku_unique`). */
  sku: string;
  name: string;
  /** Whole minor units, such as cents; never negative (`item_price_not_negative`). */
  price: number;
  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected item. */
export type ItemRow = Selectable<ItemTable>;
