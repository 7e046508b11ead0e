import { type MigrationContext } from './columns';

/** For the orders and filters of lists; an index ends with the id, by which rows with equal values are ordered. */
export async function listIndexes({ schema }: MigrationContext): Promise<void> {
  await schema.createIndex('item_name_id').on('item').columns(['name', 'id']).execute();
  await schema.createIndex('item_price_id').on('item').columns(['price', 'id']).execute();
  await schema.createIndex('post_author_id_id').on('post').columns(['author_id', 'id']).execute();
  await schema.dropIndex('post_author_id').execute();
}
