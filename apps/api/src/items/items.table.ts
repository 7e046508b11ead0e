import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable, sql } from 'kysely';

/** An item of the catalogue. */
export interface ItemTable {
  id: Generated<number>;
  /** The stock keeping unit. It is unique (`item_sku_unique`). */
  sku: string;
  name: string;
  /** The price in whole minor units, such as cents. It is never negative (`item_price_not_negative`). */
  price: number;
  /** The creation time. It defaults to the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected item. */
export type ItemRow = Selectable<ItemTable>;

declare module '@app/persistence' {
  interface Tables {
    item: ItemTable;
  }
}

export const itemTable = defineTable('item', {
  secrecy: { id: 'open', sku: 'open', name: 'open', price: 'open', createdAt: 'open' },
  exported: 'nothing of an account',
  migrations: { '0001-items': { apply: createItem, tookMs: { sqlite: 69, postgres: 119 } } },
});

async function createItem(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('item')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('item_sku_unique', ['sku'])
    .addCheckConstraint('item_price_not_negative', sql`price >= 0`);
  await table.execute();
  await db.schema.createIndex('item_name_id').on('item').columns(['name', 'id']).execute();
  await db.schema.createIndex('item_price_id').on('item').columns(['price', 'id']).execute();
}
