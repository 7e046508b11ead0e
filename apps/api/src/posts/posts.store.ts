import { Database, type PostRow, type Queries } from '@app/persistence';
import type { Slice } from '@app/paging';
import { Injectable } from '@nestjs/common';

@Injectable()
export class PostsStore {
  constructor(private readonly db: Database) {}

  findBySlug(slug: string, db: Queries = this.db): Promise<PostRow | undefined> {
    return db.selectFrom('post').selectAll().where('slug', '=', slug).executeTakeFirst();
  }

  /** Newest first. */
  list({ limit, offset, after }: Slice, db: Queries = this.db): Promise<PostRow[]> {
    const rows = db.selectFrom('post').selectAll().orderBy('id', 'desc').limit(limit);
    return (after === undefined ? rows.offset(offset) : rows.where('id', '<', after)).execute();
  }

  /** @throws UniqueViolationError `post_slug_unique` */
  insert(slug: string, authorId: number, db: Queries = this.db): Promise<PostRow> {
    return db
      .insertInto('post')
      .values({ slug, authorId, createdAt: new Date() })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** @throws UniqueViolationError `post_slug_unique` */
  rename(id: number, slug: string, db: Queries = this.db): Promise<PostRow | undefined> {
    return db.updateTable('post').set({ slug }).where('id', '=', id).returningAll().executeTakeFirst();
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    const { numDeletedRows } = await db.deleteFrom('post').where('id', '=', id).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
