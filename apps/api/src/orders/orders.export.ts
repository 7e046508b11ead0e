import { exportPart } from '@app/accounts';
import { Order } from './orders.dto';
import { OrdersStore } from './orders.store';

/** `orders` of `GET /users/me/export`. */
export const ordersExport = exportPart(OrdersStore, {
  name: 'orders',
  as: Order,
  read: (orders, accountId, slice) => orders.listOwn(accountId, slice),
});
