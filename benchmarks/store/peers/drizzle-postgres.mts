/** Fastify with Drizzle on PostgreSQL. */
import { desc, eq, relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { url } from './peer-store.mts';
import { serveFastify } from './serve-fastify.mts';

const whole = (name?: string) => (name ? bigint(name, { mode: 'number' }) : bigint({ mode: 'number' }));
const id = () => whole().primaryKey().generatedAlwaysAsIdentity();
const createdAt = () => timestamp('created_at', { precision: 3, withTimezone: true }).notNull();

const account = pgTable('account', { id: id(), email: text().notNull() });
const item = pgTable('item', {
  id: id(),
  sku: text().notNull(),
  name: text().notNull(),
  price: whole().notNull(),
  createdAt: createdAt(),
});
const order = pgTable('order', { id: id(), accountId: whole('account_id'), createdAt: createdAt() });
const orderItem = pgTable(
  'order_item',
  {
    orderId: whole('order_id').notNull(),
    position: whole().notNull(),
    sku: text().notNull(),
    quantity: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] })],
);
const post = pgTable('post', {
  id: id(),
  slug: text().notNull(),
  authorId: whole('author_id'),
  createdAt: createdAt(),
});
const orderRelations = relations(order, ({ many }) => ({ items: many(orderItem) }));
const orderItemRelations = relations(orderItem, ({ one: toOne }) => ({
  order: toOne(order, { fields: [orderItem.orderId], references: [order.id] }),
}));
const schema = { account, item, order, orderItem, post, orderRelations, orderItemRelations };

const db = drizzle(new Pool({ connectionString: url, max: 10 }), { schema });

await serveFastify({
  findAccount: async (accountId) => (await db.select().from(account).where(eq(account.id, accountId)))[0],

  listItems: (limit, offset) => db.select().from(item).orderBy(item.id).limit(limit).offset(offset),

  listOrders: (accountId, limit, offset) =>
    db.query.order.findMany({
      columns: { id: true, createdAt: true },
      with: { items: { columns: { sku: true, quantity: true }, orderBy: orderItem.position } },
      where: eq(order.accountId, accountId),
      orderBy: desc(order.id),
      limit,
      offset,
    }),

  insertOrder: (accountId, items) =>
    db.transaction(async (transaction) => {
      const [inserted] = await transaction
        .insert(order)
        .values({ accountId, createdAt: new Date() })
        .returning();
      const rows = items.map(({ sku, quantity }, position) => ({
        orderId: inserted.id,
        position,
        sku,
        quantity,
      }));
      await transaction.insert(orderItem).values(rows);
      return { ...inserted, items };
    }),

  insertPost: async (slug, authorId) => {
    const rows = db.insert(post).values({ slug, authorId, createdAt: new Date() });
    return (await rows.onConflictDoNothing().returning())[0];
  },
});
