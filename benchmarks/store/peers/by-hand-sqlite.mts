/**
 * Fastify on `node:sqlite`, with hand-written statements that are prepared once. `GROUP_COMMIT=on` commits all writes in an
 * event-loop iteration together.
 */
import { DatabaseSync } from 'node:sqlite';
import { GroupCommit } from './group-commit.mts';
import { file, type ItemRecord, type Line, type OrderRecord } from './peer-store.mts';
import { serveFastify } from './serve-fastify.mts';

const database = new DatabaseSync(file);
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const groups = process.env.GROUP_COMMIT === 'on' ? new GroupCommit(database) : undefined;

const account = database.prepare('select id, email from account where id = ?');
const items = database.prepare(
  'select id, sku, name, price, created_at from item order by id limit ? offset ?',
);
const orders = database.prepare(
  'select id, created_at from "order" where account_id = ? order by id desc limit ? offset ?',
);
const linesOf = database.prepare('select sku, quantity from order_item where order_id = ? order by position');
const insertOrder = database.prepare('insert into "order" (account_id, created_at) values (?, ?)');
const insertLine = database.prepare(
  'insert into order_item (order_id, position, sku, quantity) values (?, ?, ?, ?)',
);
const insertPost = database.prepare('insert into post (slug, author_id, created_at) values (?, ?, ?)');

await serveFastify({
  findAccount: (id) => account.get(id) as { id: number; email: string } | undefined,

  listItems: (limit, offset) =>
    items.all(limit, offset).map(({ created_at, ...item }) => ({
      ...(item as Omit<ItemRecord, 'createdAt'>),
      createdAt: new Date(Number(created_at)),
    })),

  listOrders: (accountId, limit, offset) =>
    orders.all(accountId, limit, offset).map(({ id, created_at }): OrderRecord => ({
      id: Number(id),
      items: linesOf.all(id) as unknown as Line[],
      createdAt: new Date(Number(created_at)),
    })),

  insertOrder: (accountId, lines) =>
    write(() => {
      const createdAt = new Date();
      const id = Number(insertOrder.run(accountId, createdAt.getTime()).lastInsertRowid);
      for (const [position, { sku, quantity }] of lines.entries())
        insertLine.run(id, position, sku, quantity);
      return { id, items: lines, createdAt };
    }),

  insertPost: async (slug, authorId) => {
    const createdAt = new Date();
    try {
      const { lastInsertRowid } = await write(() => insertPost.run(slug, authorId, createdAt.getTime()));
      return { id: Number(lastInsertRowid), slug, authorId, createdAt };
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('UNIQUE')) return undefined;
      throw error;
    }
  },
});

function write<T>(work: () => T): T | Promise<T> {
  if (groups) return groups.run(work);
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
