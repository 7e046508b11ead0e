import { Database, type ItemRow, type Queries } from '@app/persistence';
import type { Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { CreateItem, UpdateItem } from './items.dto';

@Injectable()
export class ItemsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<ItemRow | undefined> {
    return db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Oldest first, so that pages are stable while items are added. */
  list({ limit, offset, after }: Slice, db: Queries = this.db): Promise<ItemRow[]> {
    const rows = db.selectFrom('item').selectAll().orderBy('id').limit(limit);
    return (after === undefined ? rows.offset(offset) : rows.where('id', '>', after)).execute();
  }

  /** @throws UniqueViolationError `item_sku_unique` */
  insert({ sku, name, price }: CreateItem, db: Queries = this.db): Promise<ItemRow> {
    return db
      .insertInto('item')
      .values({ sku, name, price, createdAt: new Date() })
      .returningAll()
      .executeTakeFirstOrThrow();
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
    const { numDeletedRows } = await db.deleteFrom('item').where('id', '=', id).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
