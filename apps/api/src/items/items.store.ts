import { Database, type ItemRow, type Queries, statement } from '@app/persistence';
import type { Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { CreateItem, UpdateItem } from './items.dto';

@Injectable()
export class ItemsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<ItemRow | undefined> {
    return byId.first(db, { id });
  }

  /** Oldest first, so that pages are stable while items are added. */
  list({ limit, offset, after }: Slice, db: Queries = this.db): Promise<ItemRow[]> {
    return after === undefined ? pages.all(db, { limit, offset }) : nextPages.all(db, { limit, after });
  }

  /** @throws UniqueViolationError `item_sku_unique` */
  insert({ sku, name, price }: CreateItem, db: Queries = this.db): Promise<ItemRow> {
    return insert.one(db, { sku, name, price, createdAt: new Date() });
  }

  /** @throws UniqueViolationError `item_sku_unique` */
  async update(
    id: number,
    { sku, name, price }: UpdateItem,
    db: Queries = this.db,
  ): Promise<ItemRow | undefined> {
    if (sku === undefined && name === undefined && price === undefined) return this.findById(id, db);
    return db
      .updateTable('item')
      .set({ sku, name, price })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { id })) > 0;
  }
}

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('item').selectAll().where('id', '=', id),
);

const pages = statement(({ limit, offset }: { limit: number; offset: number }, db) =>
  db.selectFrom('item').selectAll().orderBy('id').limit(limit).offset(offset),
);

const nextPages = statement(({ limit, after }: { limit: number; after: number }, db) =>
  db.selectFrom('item').selectAll().where('id', '>', after).orderBy('id').limit(limit),
);

const insert = statement((item: { sku: string; name: string; price: number; createdAt: Date }, db) =>
  db
    .insertInto('item')
    .values({ sku: item.sku, name: item.name, price: item.price, createdAt: item.createdAt })
    .returningAll(),
);

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('item').where('id', '=', id));
