import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** A post of an account. */
export interface PostTable {
  id: Generated<number>;
  /** The slug. It is unique (`post_slug_unique`). */
  slug: string;
  /** The author, or `null` after the account was deleted. */
  authorId: number | null;
  /** The creation time. It defaults to the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected post. */
export type PostRow = Selectable<PostTable>;

declare module '@app/persistence' {
  interface Tables {
    post: PostTable;
  }
}

export const postTable = defineTable('post', {
  secrecy: { id: 'open', slug: 'open', authorId: 'open', createdAt: 'open' },
  exported: { part: 'posts' },
  migrations: { '0003-posts': { apply: createPost, tookMs: { sqlite: 53, postgres: 210 } } },
});

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
  const index = (name: string) => db.schema.createIndex(name).on('post');
  await index('post_author_id_id').columns(['author_id', 'id']).execute();
  await index('post_author_id_slug_id').columns(['author_id', 'slug', 'id']).execute();
}
