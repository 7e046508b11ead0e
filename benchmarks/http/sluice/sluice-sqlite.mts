/** Runs `api` on an SQLite file, which is the default configuration. */
import '../serve.mts';
import { Database } from '@app/persistence';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ItemsStore } from '../../../apps/api/src/items/items.store.ts';
import { OrdersStore } from '../../../apps/api/src/orders/orders.store.ts';
import { itemAt } from '../store.mts';
import { runApi } from './program.mts';

/** Inserts the catalogue that the remaining servers keep in memory. */
@Injectable()
class Catalogue implements OnModuleInit {
  constructor(private readonly db: Database) {}

  async onModuleInit(): Promise<void> {
    const items = Array.from({ length: 100 }, (_, at) => itemAt(at + 1));
    await this.db.insertInto('item').values(items).execute();
  }
}

await runApi([ItemsStore, OrdersStore, Catalogue]);
