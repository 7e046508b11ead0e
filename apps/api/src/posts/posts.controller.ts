import type { SignedInUser } from '@app/accounts';
import { Caller, ForbiddenError } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Page, paginate } from '@app/paging';
import type { Queries } from '@app/persistence';
import {
  ETag,
  Idempotent,
  IfMatch,
  missing,
  ValueConflictError,
  unlessTaken,
  Transaction,
} from '@app/service';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post as HttpPost,
  Query,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BySlug, CreatePost, Post, PostsQuery } from './posts.dto';
import { PostsStore } from './posts.store';
import type { PostRow } from './posts.table';

/** Posts, addressed by slug. */
@Controller('posts')
export class PostsController {
  constructor(private readonly posts: PostsStore) {}

  /** Lists posts, newest first. */
  @Get()
  @ETag()
  @Returns(Page(Post))
  async list(@Query() query: PostsQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.posts.list(slice));
  }

  /** Returns a post. */
  @Get(':slug')
  @ETag()
  @Returns(Post)
  async read(@Param() { slug }: BySlug, @Transaction() db?: Queries): Promise<PostRow> {
    return (await this.posts.findBySlug(slug, db)) ?? missing('post', slug);
  }

  /** Publishes a post. */
  @HttpPost()
  @Idempotent()
  @Returns(Post)
  @ErrorResponses(ValueConflictError)
  async create(
    @Body() { slug }: CreatePost,
    @Caller() { userId }: SignedInUser,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Transaction() db?: Queries,
  ): Promise<PostRow> {
    const post = await unlessTaken('post_slug_unique', 'slug', this.posts.insert(slug, userId, db));
    void reply.header('Location', `/posts/${post.slug}`);
    return post;
  }

  /** Changes a post's slug. Only the author and administrators may change a post. */
  @Patch(':slug')
  @Idempotent()
  @ETag()
  @IfMatch('read')
  @Returns(Post)
  @ErrorResponses(ValueConflictError)
  async rename(
    @Param() path: BySlug,
    @Body() { slug }: CreatePost,
    @Caller() caller: SignedInUser,
    @Transaction() db?: Queries,
  ): Promise<PostRow> {
    const { id } = await this.changeable(path.slug, caller, db);
    const post = await unlessTaken('post_slug_unique', 'slug', this.posts.rename(id, slug, db));
    return post ?? missing('post', path.slug);
  }

  /** Deletes a post. Only the author and administrators may delete a post. */
  @Delete(':slug')
  @IfMatch('read')
  @HttpCode(204)
  async remove(
    @Param() { slug }: BySlug,
    @Caller() caller: SignedInUser,
    @Transaction() db?: Queries,
  ): Promise<void> {
    const { id } = await this.changeable(slug, caller, db);
    if (!(await this.posts.remove(id, db))) missing('post', slug);
  }

  private async changeable(slug: string, { userId, role }: SignedInUser, db?: Queries): Promise<PostRow> {
    const post = (await this.posts.findBySlug(slug, db)) ?? missing('post', slug);
    if (post.authorId === userId || role === 'admin') return post;
    throw new ForbiddenError('only its author or an administrator may change a post');
  }
}
