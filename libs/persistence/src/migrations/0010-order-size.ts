import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';

/** The size of an order's lines, by which a page ends before they are read: their bytes, and 250 for each line. */
export async function orderSize(db: MigrationContext, { integer }: Columns): Promise<void> {
  await db.schema
    .alterTable('order')
    .addColumn('size', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  const size = sql`sum(octet_length(sku) + octet_length(quantity) + 250)`;
  await sql`
    update "order"
    set size = coalesce((select ${size} from order_item where order_id = "order".id), 0)
  `.execute(db);
}
