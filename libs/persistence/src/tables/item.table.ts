import { type Generated, type Insertable, type Selectable } from 'kysely';

/** Something that can be ordered. */
export interface ItemTable {
  id: Generated<number>;
  /** Unique (`item_sku_unique`). */
  sku: string;
  name: string;
  /** Whole minor units, such as cents; never negative (`item_price_not_negative`). */
  price: number;
  /** Set by the database unless it is given. */
  createdAt: Generated<Date>;
}

/** An item as it is read. */
export type ItemRow = Selectable<ItemTable>;
/** An item as it is written: what has a default may be left out. */
export type NewItemRow = Insertable<ItemTable>;
