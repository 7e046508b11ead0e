import { Filterable, PaginationQuery, Sortable } from '@app/paging';
import { IfGiven, NoLongerThan, RowId, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { Matches } from 'class-validator';

/** A post. */
@Exclude()
export class Post {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() slug!: string;
  /** The author's user id; null after the account was deleted. */
  @Expose() @Schema({ type: ['integer', 'null'] }) authorId!: number | null;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** The query parameters for listing posts. */
@Sortable(Post, 'slug')
@Filterable('authorId')
export class PostsQuery extends PaginationQuery {
  @IfGiven()
  @RowId()
  authorId?: number;
}

/** A new post, or a new slug for a post. */
export class CreatePost {
  @Matches(/^[a-z0-9-]+$/, { message: '$property must be lowercase letters, digits, and dashes only' })
  @NoLongerThan(200)
  @Schema({ examples: ['what-i-learnt'] })
  slug!: string;
}

/** The path parameter that names a post. */
export class BySlug extends CreatePost {}
