import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';
import { concurrentIndex } from './concurrent-index';

/** An index ends with the id, by which rows with equal values are ordered. */
const indexes = [
  { name: 'item_name_id', table: 'item', columns: ['name', 'id'] },
  { name: 'item_price_id', table: 'item', columns: ['price', 'id'] },
  { name: 'post_author_id_id', table: 'post', columns: ['author_id', 'id'] },
].map(concurrentIndex);

/** For the orders and filters of lists. */
export const listIndexes = {
  apply: async (db: MigrationContext, columns: Columns): Promise<void> => {
    for (const { apply } of indexes) await apply(db, columns);
    await sql`drop index ${columns.concurrently} if exists post_author_id`.execute(db);
  },
  isConcurrent: true,
};
