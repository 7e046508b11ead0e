import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';

/** Accounts, items, orders and posts. A unique constraint is named `<table>_<columns>_unique`, see sqlite-errors.ts. */
export async function firstTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createAccount(db, columns);
  await createItem(db, columns);
  await createOrder(db, columns);
  await createOrderItem(db, columns);
  await createPost(db, columns);
}

async function createAccount(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('account')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('password_reset_token', text)
    .addColumn('role', text, (column) => column.notNull().defaultTo('user'))
    .addColumn('first_name', text)
    .addColumn('last_name', text)
    .addColumn('full_name', text)
    .addColumn('last_login_ip', text)
    .addColumn('last_login_at', timestamp)
    .addColumn('disabled_at', timestamp)
    .addColumn('email_changed_at', timestamp)
    .addColumn('password_changed_at', timestamp, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('account_email_key_unique', ['email_key'])
    .addCheckConstraint('account_role_known', sql`role in ('user', 'admin')`);
  await table.execute();
}

async function createItem(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('item')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('item_sku_unique', ['sku'])
    .addCheckConstraint('item_price_not_negative', sql`price >= 0`);
  await table.execute();
}

async function createOrder(
  db: MigrationContext,
  { integer, timestamp, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('order')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now));
  await table.execute();
  await db.schema.createIndex('order_account_id_id').on('order').columns(['account_id', 'id']).execute();
}

async function createOrderItem(db: MigrationContext, { integer, text, strictTypes }: Columns): Promise<void> {
  const table = db.schema
    .createTable('order_item')
    .$call(strictTypes)
    .addColumn('order_id', integer, (column) => column.notNull().references('order.id').onDelete('cascade'))
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('quantity', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('order_item_pkey', ['order_id', 'position']);
  await table.execute();
}

async function createPost(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('post')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('slug', text, (column) => column.notNull())
    .addColumn('author_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('post_slug_unique', ['slug']);
  await table.execute();
  await db.schema.createIndex('post_author_id').on('post').column('author_id').execute();
}
