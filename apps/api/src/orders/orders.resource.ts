import { exportPart } from '@app/accounts';
import { defineResource } from '@app/service';
import { OrdersController } from './orders.controller';
import { Order } from './orders.dto';
import { OrdersStore } from './orders.store';
import { orderItemTable, orderTable } from './orders.table';

/** An account's orders. */
export const orders = defineResource({
  name: 'orders',
  table: [orderTable, orderItemTable],
  store: OrdersStore,
  controller: OrdersController,
  exports: [
    exportPart(OrdersStore, {
      name: 'orders',
      as: Order,
      read: (store, accountId, slice) => store.listOwn(accountId, slice),
    }),
  ],
});
