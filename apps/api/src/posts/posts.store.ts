import { Database, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import { PostsQuery } from './posts.dto';
import type { PostRow } from './posts.table';

@Injectable()
export class PostsStore {
  constructor(private readonly db: Database) {}

  findBySlug(slug: string, db: Queries = this.db): Promise<PostRow | undefined> {
    return bySlug.first(db, { slug });
  }

  /** Lists the newest posts first by default. */
  list(slice: Slice, db: Queries = this.db.replica): Promise<PostRow[]> {
    return list(db, slice, {});
  }

  /** @throws UniqueViolationError `post_slug_unique` */
  insert(slug: string, authorId: number, db: Queries = this.db): Promise<PostRow> {
    return insert.one(db, { slug, authorId, createdAt: new Date() });
  }

  /** @throws UniqueViolationError `post_slug_unique` */
  rename(id: number, slug: string, db: Queries = this.db): Promise<PostRow | undefined> {
    return rename.first(db, { id, slug });
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { id })) > 0;
  }
}

const bySlug = statement(({ slug }: { slug: string }, db) =>
  db.selectFrom('post').selectAll().where('slug', '=', slug),
);

const list = sortedList((_given, db) => db.selectFrom('post').selectAll(), {
  queries: [PostsQuery],
  isNewestFirst: true,
});

const insert = statement((post: { slug: string; authorId: number; createdAt: Date }, db) =>
  db
    .insertInto('post')
    .values({ slug: post.slug, authorId: post.authorId, createdAt: post.createdAt })
    .returningAll(),
);

const rename = statement(({ id, slug }: { id: number; slug: string }, db) =>
  db.updateTable('post').set({ slug }).where('id', '=', id).returningAll(),
);

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('post').where('id', '=', id));
