import { exportPart } from '@app/accounts';
import { defineResource } from '@app/service';
import { PostsController } from './posts.controller';
import { Post } from './posts.dto';
import { PostsStore } from './posts.store';
import { postTable } from './posts.table';

/** An account's posts. */
export const posts = defineResource({
  name: 'posts',
  table: postTable,
  store: PostsStore,
  controller: PostsController,
  exports: [
    exportPart(PostsStore, {
      name: 'posts',
      as: Post,
      read: (store, authorId, slice) => store.list({ ...slice, filter: { authorId } }),
    }),
  ],
});
