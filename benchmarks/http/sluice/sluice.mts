/** Runs `api` with in-memory stores. */
import '../serve.mts';
import { AccountsStore } from '@app/accounts';
import { ItemsStore } from '../../../apps/api/src/items/items.store.ts';
import { OrdersStore } from '../../../apps/api/src/orders/orders.store.ts';
import { type OrderLineRecord, store } from '../store.mts';
import { runApi } from './program.mts';

const accounts = {
  findUser: (id: number) => store.findAccount(id),
  insert: ({ email, passwordHash }: { readonly email: string; readonly passwordHash: string }) =>
    store.insertAccount(email, passwordHash),
};
const items = {
  list: ({ limit, offset }: { readonly limit: number; readonly offset: number }) =>
    store.listItems(limit, offset),
};
const orders = {
  insert: (accountId: number, order: { readonly items: readonly OrderLineRecord[] }) =>
    store.insertOrder(accountId, order.items),
};

await runApi([
  { provide: AccountsStore, useValue: accounts },
  { provide: ItemsStore, useValue: items },
  { provide: OrdersStore, useValue: orders },
]);
