import { inspect } from 'node:util';
import { sql } from 'kysely';
import { anAccount } from '../testing/rows';
import { useMigratedDatabase } from '../testing/migrated-database';
import { ForeignKeyViolationError, UniqueViolationError } from './errors';

describe('a constraint of the database', () => {
  const store = useMigratedDatabase();

  const addAccount = (emailKey: string): Promise<{ id: number }> =>
    store.db.insertInto('account').values(anAccount(emailKey)).returning('id').executeTakeFirstOrThrow();
  const addOrder = (accountId: number | null): Promise<{ id: number }> =>
    store.db.insertInto('order').values({ accountId }).returning('id').executeTakeFirstOrThrow();
  const addLine = (orderId: number, position: number): Promise<unknown> =>
    store.db.insertInto('orderItem').values({ orderId, position, sku: 's', quantity: '1' }).execute();

  it('rejects an e-mail that is taken, with the same name on both databases', async () => {
    await addAccount('a@b.co');

    const refused = addAccount('a@b.co');

    await expect(refused).rejects.toThrow(UniqueViolationError);
    await expect(refused).rejects.toMatchObject({ constraint: 'account_email_key_unique' });
  });

  it('rejects a sku and a slug that are taken, with the same names on both databases', async () => {
    const item = store.db.insertInto('item').values({ sku: 'sku', name: 'n', price: 1 });
    const post = store.db.insertInto('post').values({ slug: 'slug' });
    await item.execute();
    await post.execute();

    await expect(item.execute()).rejects.toMatchObject({ constraint: 'item_sku_unique' });
    await expect(post.execute()).rejects.toMatchObject({ constraint: 'post_slug_unique' });
  });

  it('rejects two lines of an order at one position, with the same name on both databases', async () => {
    const order = await addOrder(null);
    await addLine(order.id, 0);

    await expect(addLine(order.id, 0)).rejects.toMatchObject({ constraint: 'order_item_pkey' });
  });

  it('rejects an update to a value that is taken', async () => {
    await addAccount('a@b.co');
    const { id } = await addAccount('c@d.co');

    const refused = store.db
      .updateTable('account')
      .set({ emailKey: 'a@b.co' })
      .where('id', '=', id)
      .execute();

    await expect(refused).rejects.toMatchObject({ constraint: 'account_email_key_unique' });
  });

  it('rejects a foreign key without a row', async () => {
    await expect(addOrder(4711)).rejects.toThrow(ForeignKeyViolationError);
    await expect(addLine(4711, 0)).rejects.toThrow(ForeignKeyViolationError);
  });

  it('keeps the orders and posts of a deleted account, without their owner', async () => {
    const { id } = await addAccount('a@b.co');
    await addOrder(id);
    await store.db.insertInto('post').values({ slug: 'slug', authorId: id }).execute();

    await store.db.deleteFrom('account').where('id', '=', id).execute();

    expect(await store.db.selectFrom('order').select('accountId').execute()).toEqual([{ accountId: null }]);
    expect(await store.db.selectFrom('post').select('authorId').execute()).toEqual([{ authorId: null }]);
  });

  it('deletes the lines of an order with it', async () => {
    const order = await addOrder(null);
    await addLine(order.id, 0);

    await store.db.deleteFrom('order').where('id', '=', order.id).execute();

    expect(await store.db.selectFrom('orderItem').selectAll().execute()).toEqual([]);
  });

  it('never reuses the id of a deleted row', async () => {
    const first = await addOrder(null);
    await store.db.deleteFrom('order').where('id', '=', first.id).execute();

    expect((await addOrder(null)).id).toBeGreaterThan(first.id);
  });

  it('rejects a negative price and an unknown role, without quoting the row', async () => {
    const negative = store.db.insertInto('item').values({ sku: 's', name: 'n', price: -1 });
    const unknown = sql`
      insert into account (email, email_key, password_hash, password_changed_at, role)
      values ('a@b.co', 'a@b.co', 'SECRET', ${new Date()}, 'king')`;

    await expect(negative.execute()).rejects.toThrow(/item_price_not_negative/);
    const error: unknown = await unknown.execute(store.db).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error)).toMatch(/account_role_known/);
    expect(inspect(error)).not.toContain('SECRET');
  });

  it('reports how many rows a statement changed', async () => {
    await addOrder(null);
    await addOrder(null);

    const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await store.db
      .updateTable('order')
      .set({ createdAt: new Date() })
      .execute();
    const { numDeletedRows } = await store.db.deleteFrom('order').executeTakeFirstOrThrow();

    expect([numUpdatedRows, numDeletedRows]).toEqual([2n, 2n]);
  });
});
