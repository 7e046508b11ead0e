import { sql } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { orderSize } from './0010-order-size';
import { columnsOf } from './columns';

describe('the migration that adds the size of orders', () => {
  const store = useMigratedDatabase();

  it('computes it for those that are there', async () => {
    const { db } = store;
    const insert = async () =>
      (await db.insertInto('order').defaultValues().returning('id').executeTakeFirstOrThrow()).id;
    const [orderId, empty] = [await insert(), await insert()];
    for (const [position, sku] of ['tea', 'thé'].entries())
      await db.insertInto('orderItem').values({ orderId, position, sku, quantity: '12' }).execute();
    await sql`alter table "order" drop column size`.execute(db);
    await orderSize(db, columnsOf[db.dialect]);
    expect(await db.selectFrom('order').select(['id', 'size']).orderBy('id').execute()).toEqual([
      { id: orderId, size: 3 + 4 + 2 * (2 + 250) },
      { id: empty, size: 0 },
    ]);
  });
});
