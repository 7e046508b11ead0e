/** Fastify with Drizzle on SQLite. */
import { desc, eq, relations } from 'drizzle-orm';
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { createTableRelationsHelpers, extractTablesRelationalConfig } from 'drizzle-orm/relations';
import {
  BaseSQLiteDatabase,
  integer,
  primaryKey,
  sqliteTable,
  SQLiteSyncDialect,
  text,
} from 'drizzle-orm/sqlite-core';
import { BetterSqlite3 } from './better-sqlite3.mts';
import { file } from './peer-store.mts';
import { serveFastify } from './serve-fastify.mts';

const account = sqliteTable('account', { id: integer().primaryKey(), email: text().notNull() });
const item = sqliteTable('item', {
  id: integer().primaryKey(),
  sku: text().notNull(),
  name: text().notNull(),
  price: integer().notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});
const order = sqliteTable('order', {
  id: integer().primaryKey(),
  accountId: integer('account_id'),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});
const orderItem = sqliteTable(
  'order_item',
  {
    orderId: integer('order_id').notNull(),
    position: integer().notNull(),
    sku: text().notNull(),
    quantity: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] })],
);
const post = sqliteTable('post', {
  id: integer().primaryKey(),
  slug: text().notNull(),
  authorId: integer('author_id'),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});
const orderRelations = relations(order, ({ many }) => ({ items: many(orderItem) }));
const orderItemRelations = relations(orderItem, ({ one: toOne }) => ({
  order: toOne(order, { fields: [orderItem.orderId], references: [order.id] }),
}));
const schema = { account, item, order, orderItem, post, orderRelations, orderItemRelations };

const client = new BetterSqlite3(file);
for (const setting of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on'])
  client.pragma(setting);
const db = open();

await serveFastify({
  findAccount: (id) => db.select().from(account).where(eq(account.id, id)).get(),

  listItems: (limit, offset) => db.select().from(item).orderBy(item.id).limit(limit).offset(offset).all(),

  listOrders: (accountId, limit, offset) =>
    db.query.order
      .findMany({
        columns: { id: true, createdAt: true },
        with: { items: { columns: { sku: true, quantity: true }, orderBy: orderItem.position } },
        where: eq(order.accountId, accountId),
        orderBy: desc(order.id),
        limit,
        offset,
      })
      .sync(),

  insertOrder: (accountId, items) =>
    db.transaction((transaction) => {
      const inserted = transaction
        .insert(order)
        .values({ accountId, createdAt: new Date() })
        .returning()
        .get();
      const rows = items.map(({ sku, quantity }, position) => ({
        orderId: inserted.id,
        position,
        sku,
        quantity,
      }));
      transaction.insert(orderItem).values(rows).run();
      return { ...inserted, items };
    }),

  insertPost: (slug, authorId) =>
    db.insert(post).values({ slug, authorId, createdAt: new Date() }).onConflictDoNothing().returning().get(),
});

/** Opens a database like `drizzle()` from `drizzle-orm/better-sqlite3`, without loading that package. */
function open(): BaseSQLiteDatabase<'sync', void, typeof schema> {
  const { tables, tableNamesMap } = extractTablesRelationalConfig(schema, createTableRelationsHelpers);
  const relational = { fullSchema: schema, schema: tables, tableNamesMap };
  const dialect = new SQLiteSyncDialect();
  const session = new BetterSQLiteSession(client as never, dialect, relational as never);
  return new BaseSQLiteDatabase('sync', dialect, session as never, relational as never);
}
