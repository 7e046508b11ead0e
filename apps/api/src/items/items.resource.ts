import { defineResource } from '@app/service';
import { ItemsController } from './items.controller';
import { ItemsStore } from './items.store';
import { itemTable } from './items.table';

/** The catalogue. */
export const items = defineResource({
  name: 'items',
  table: itemTable,
  store: ItemsStore,
  controller: ItemsController,
});
