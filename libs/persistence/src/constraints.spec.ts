import { inspect } from 'node:util';
import { sql } from 'kysely';
import { anOwner } from '../testing/sample-schema';
import { useMigratedDatabase } from '../testing/migrated-database';
import { ForeignKeyViolationError, UniqueViolationError } from './errors';

describe('a constraint of the database', () => {
  const store = useMigratedDatabase();

  const addAccount = (emailKey: string): Promise<{ id: number }> =>
    store.db.insertInto('sampleOwner').values(anOwner(emailKey)).returning('id').executeTakeFirstOrThrow();
  const addOrder = (accountId: number | null): Promise<{ id: number }> =>
    store.db
      .insertInto('sampleBasket')
      .values({ ownerId: accountId })
      .returning('id')
      .executeTakeFirstOrThrow();
  const addLine = (orderId: number, position: number): Promise<unknown> =>
    store.db
      .insertInto('sampleLine')
      .values({ basketId: orderId, position, sku: 's', quantity: '1' })
      .execute();

  it('rejects an e-mail that is taken, with the same name on both databases', async () => {
    await addAccount('a@b.co');

    const refused = addAccount('a@b.co');

    await expect(refused).rejects.toThrow(UniqueViolationError);
    await expect(refused).rejects.toMatchObject({ constraint: 'sample_owner_email_key_unique' });
  });

  it('rejects a sku and a slug that are taken, with the same names on both databases', async () => {
    const item = store.db.insertInto('sampleProduct').values({ sku: 'sku', name: 'n', price: 1 });
    const post = store.db.insertInto('sampleArticle').values({ slug: 'slug' });
    await item.execute();
    await post.execute();

    await expect(item.execute()).rejects.toMatchObject({ constraint: 'sample_product_sku_unique' });
    await expect(post.execute()).rejects.toMatchObject({ constraint: 'sample_article_slug_unique' });
  });

  it('rejects two lines of an order at one position, with the same name on both databases', async () => {
    const order = await addOrder(null);
    await addLine(order.id, 0);

    await expect(addLine(order.id, 0)).rejects.toMatchObject({ constraint: 'sample_line_pkey' });
  });

  it('rejects an update to a value that is taken', async () => {
    await addAccount('a@b.co');
    const { id } = await addAccount('c@d.co');

    const refused = store.db
      .updateTable('sampleOwner')
      .set({ emailKey: 'a@b.co' })
      .where('id', '=', id)
      .execute();

    await expect(refused).rejects.toMatchObject({ constraint: 'sample_owner_email_key_unique' });
  });

  it('rejects a foreign key without a row', async () => {
    await expect(addOrder(4711)).rejects.toThrow(ForeignKeyViolationError);
    const error: unknown = await addLine(4711, 0).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForeignKeyViolationError);
    const name = store.db.dialect === 'postgres' ? 'sample_line_basket_id_fkey' : undefined;
    expect(error).toMatchObject({ constraint: name });
    expect(String(error)).toContain(name ?? 'foreign key constraint violated');
  });

  it('keeps the orders and posts of a deleted account, without their owner', async () => {
    const { id } = await addAccount('a@b.co');
    await addOrder(id);
    await store.db.insertInto('sampleArticle').values({ slug: 'slug', authorId: id }).execute();

    await store.db.deleteFrom('sampleOwner').where('id', '=', id).execute();

    expect(await store.db.selectFrom('sampleBasket').select('ownerId').execute()).toEqual([
      { ownerId: null },
    ]);
    expect(await store.db.selectFrom('sampleArticle').select('authorId').execute()).toEqual([
      { authorId: null },
    ]);
  });

  it('deletes the lines of an order with it', async () => {
    const order = await addOrder(null);
    await addLine(order.id, 0);

    await store.db.deleteFrom('sampleBasket').where('id', '=', order.id).execute();

    expect(await store.db.selectFrom('sampleLine').selectAll().execute()).toEqual([]);
  });

  it('never reuses the id of a deleted row', async () => {
    const first = await addOrder(null);
    await store.db.deleteFrom('sampleBasket').where('id', '=', first.id).execute();

    expect((await addOrder(null)).id).toBeGreaterThan(first.id);
  });

  it('rejects a negative price and a role without a name, without quoting the row', async () => {
    const negative = store.db.insertInto('sampleProduct').values({ sku: 's', name: 'n', price: -1 });
    const unnamed = sql`
      insert into sample_owner (id, email, email_key, full_name, changed_at, role)
      values (1, 'a@b.co', 'a@b.co', 'SECRET', ${new Date()}, '')`;

    await expect(negative.execute()).rejects.toThrow(/sample_product_price_not_negative/);
    const error: unknown = await unnamed.execute(store.db).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error)).toMatch(/sample_owner_role_named/);
    expect(inspect(error)).not.toContain('SECRET');
  });

  it('reports how many rows a statement changed', async () => {
    await addOrder(null);
    await addOrder(null);

    const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await store.db
      .updateTable('sampleBasket')
      .set({ createdAt: new Date() })
      .execute();
    const { numDeletedRows } = await store.db.deleteFrom('sampleBasket').executeTakeFirstOrThrow();

    expect([numUpdatedRows, numDeletedRows]).toEqual([2n, 2n]);
  });
});
