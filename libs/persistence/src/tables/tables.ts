import { type AccountTable } from './account.table';
import { type ItemTable } from './item.table';
import { type OrderItemTable, type OrderTable } from './order.table';
import { type PostTable } from './post.table';

/**
 * Every table, as TypeScript names it; in the database names are snake_case. A column whose name ends in `_at` is a
 * moment: a `Date`, whole milliseconds, on both stores.
 */
export interface Tables {
  account: AccountTable;
  item: ItemTable;
  order: OrderTable;
  orderItem: OrderItemTable;
  post: PostTable;
}
