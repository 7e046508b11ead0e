import { exportPart } from '@app/accounts';
import { Post } from './posts.dto';
import { PostsStore } from './posts.store';

/** `posts` of `GET /users/me/export`. */
export const postsExport = exportPart(PostsStore, {
  name: 'posts',
  as: Post,
  read: (posts, authorId, slice) => posts.list({ ...slice, filter: { authorId } }),
});
