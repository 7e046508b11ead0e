import { type Generated, type Insertable, sql } from 'kysely';
import { type Columns, type MigrationContext } from '../src/schema/columns';
import { defineTable } from '../src/schema/define-table';
import { DatabaseSchema } from '../src/schema/database-schema';

interface SampleOwnerTable {
  id: Generated<number>;
  email: string;
  emailKey: string;
  role: Generated<string>;
  fullName: string | null;
  changedAt: Date;
  disabledAt: Date | null;
}

interface SampleProductTable {
  id: Generated<number>;
  sku: string;
  name: string;
  price: number;
  createdAt: Generated<Date>;
}

interface SampleBasketTable {
  id: Generated<number>;
  ownerId: number | null;
  createdAt: Generated<Date>;
}

interface SampleLineTable {
  basketId: number;
  position: number;
  sku: string;
  quantity: string;
}

interface SampleArticleTable {
  id: Generated<number>;
  slug: string;
  authorId: number | null;
  createdAt: Generated<Date>;
}

declare module '@app/persistence' {
  interface Tables {
    sampleOwner: SampleOwnerTable;
    sampleProduct: SampleProductTable;
    sampleBasket: SampleBasketTable;
    sampleLine: SampleLineTable;
    sampleArticle: SampleArticleTable;
  }
}

/** A row with the required columns only. */
export function anOwner(emailKey: string): Insertable<SampleOwnerTable> {
  return { email: emailKey, emailKey, changedAt: new Date() };
}

/** A library's table, to which the {@link sampleSchema} tables refer. */
export const baseSchema = new DatabaseSchema('base', [
  defineTable('sampleOwner', {
    secrecy: {
      id: 'open',
      email: 'open',
      emailKey: 'internal',
      role: 'open',
      fullName: 'open',
      changedAt: 'open',
      disabledAt: 'open',
    },
    exported: 'nothing of an account',
    migrations: { '0001-owners': { apply: createOwner } },
  }),
]);

/** The application tables for tests in libs, which have no application. */
export const sampleSchema = new DatabaseSchema('sample', [
  defineTable('sampleProduct', {
    secrecy: { id: 'open', sku: 'open', name: 'open', price: 'open', createdAt: 'open' },
    exported: 'nothing of an account',
    migrations: { '0001-products': { apply: createProduct } },
  }),
  defineTable('sampleBasket', {
    secrecy: { id: 'open', ownerId: 'internal', createdAt: 'open' },
    exported: { part: 'baskets' },
    migrations: { '0002-baskets': { apply: createBasket } },
  }),
  defineTable('sampleLine', {
    secrecy: { basketId: 'internal', position: 'internal', sku: 'open', quantity: 'open' },
    exported: { part: 'baskets' },
  }),
  defineTable('sampleArticle', {
    secrecy: { id: 'open', slug: 'open', authorId: 'open', createdAt: 'open' },
    exported: { part: 'articles' },
    migrations: { '0003-articles': { apply: createArticle } },
  }),
]);

async function createOwner(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('sample_owner')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull().defaultTo('user'))
    .addColumn('full_name', text)
    .addColumn('changed_at', timestamp, (column) => column.notNull())
    .addColumn('disabled_at', timestamp)
    .addUniqueConstraint('sample_owner_email_key_unique', ['email_key'])
    .addCheckConstraint('sample_owner_role_named', sql`role <> ''`);
  await table.execute();
}

async function createProduct(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('sample_product')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('sample_product_sku_unique', ['sku'])
    .addCheckConstraint('sample_product_price_not_negative', sql`price >= 0`);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('sample_product');
  await index('sample_product_price_id').columns(['price', 'id']).execute();
}

async function createBasket(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const basket = db.schema
    .createTable('sample_basket')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('owner_id', integer, (column) => column.references('sample_owner.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now));
  await basket.execute();
  const index = (name: string) => db.schema.createIndex(name).on('sample_basket');
  await index('sample_basket_owner_id_id').columns(['owner_id', 'id']).execute();
  const line = db.schema
    .createTable('sample_line')
    .$call(strictTypes)
    .addColumn('basket_id', integer, (column) =>
      column.notNull().references('sample_basket.id').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('sku', text, (column) => column.notNull())
    .addColumn('quantity', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('sample_line_pkey', ['basket_id', 'position']);
  await line.execute();
}

async function createArticle(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('sample_article')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('slug', text, (column) => column.notNull())
    .addColumn('author_id', integer, (column) => column.references('sample_owner.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('sample_article_slug_unique', ['slug']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('sample_article');
  await index('sample_article_author_id_id').columns(['author_id', 'id']).execute();
}
