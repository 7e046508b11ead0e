import { Database, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import { type CreateItem, ItemsQuery, type UpdateItem } from './items.dto';
import type { ItemRow } from './items.table';

@Injectable()
export class ItemsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<ItemRow | undefined> {
    return byId.first(db, { id });
  }

  /** Lists the oldest items first by default, so that pages are stable while items are added. */
  list(slice: Slice, db: Queries = this.db.replica): Promise<ItemRow[]> {
    return list(db, slice, {});
  }

  /** @throws UniqueViolationError `item_sku_unique` */
  insert({ sku, name, price }: CreateItem, db: Queries = this.db): Promise<ItemRow> {
    return insert.one(db, { sku, name, price, createdAt: new Date() });
  }

  /** @throws UniqueViolationError `item_sku_unique` */
  update(id: number, { sku, name, price }: UpdateItem, db: Queries = this.db): Promise<ItemRow | undefined> {
    if (sku === undefined && name === undefined && price === undefined) return this.findById(id, db);
    const update = db.updateTable('item').set({ sku, name, price }).where('id', '=', id);
    return update.returningAll().executeTakeFirst();
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { id })) > 0;
  }
}

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('item').selectAll().where('id', '=', id),
);

const list = sortedList((_given, db) => db.selectFrom('item').selectAll(), { queries: [ItemsQuery] });

const insert = statement((item: { sku: string; name: string; price: number; createdAt: Date }, db) =>
  db
    .insertInto('item')
    .values({ sku: item.sku, name: item.name, price: item.price, createdAt: item.createdAt })
    .returningAll(),
);

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('item').where('id', '=', id));
