/** Fastify on `pg`, with a hand-written named statement for each request. */
import { Pool, types } from 'pg';
import { type ItemRecord, type OrderRecord, type PostRecord, url } from './peer-store.mts';
import { serveFastify } from './serve-fastify.mts';

types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: url, max: 10 });

async function ask<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name, text, values });
  return rows;
}

const insertOrder = `with made as (insert into "order" (account_id, created_at) values ($1, $2) returning id),
  lines as (insert into order_item (order_id, position, sku, quantity)
    select made.id, line.position - 1, line.sku, line.quantity
    from made, unnest($3::text[], $4::text[]) with ordinality as line (sku, quantity, position))
  select id from made`;

const listOrders = `select id, created_at as "createdAt",
    (select coalesce(json_agg(json_build_object('sku', sku, 'quantity', quantity) order by position), '[]')
      from order_item where order_id = "order".id) as items
  from "order" where account_id = $1 order by id desc limit $2 offset $3`;

await serveFastify({
  findAccount: async (id) => {
    const rows = await ask<{ id: number; email: string }>(
      'me',
      'select id, email from account where id = $1',
      [id],
    );
    return rows[0];
  },

  listItems: (limit, offset) =>
    ask<ItemRecord>(
      'items',
      'select id, sku, name, price, created_at as "createdAt" from item order by id limit $1 offset $2',
      [limit, offset],
    ),

  listOrders: (accountId, limit, offset) =>
    ask<OrderRecord>('orders', listOrders, [accountId, limit, offset]),

  insertOrder: async (accountId, items) => {
    const createdAt = new Date();
    const skus = items.map(({ sku }) => sku);
    const quantities = items.map(({ quantity }) => quantity);
    const [inserted] = await ask<{ id: number }>('order', insertOrder, [
      accountId,
      createdAt,
      skus,
      quantities,
    ]);
    return { id: inserted.id, items, createdAt };
  },

  insertPost: async (slug, authorId) => {
    const text = `insert into post (slug, author_id, created_at) values ($1, $2, $3)
      on conflict (slug) do nothing returning id, slug, author_id as "authorId", created_at as "createdAt"`;
    return (await ask<PostRecord>('post', text, [slug, authorId, new Date()]))[0];
  },
});
