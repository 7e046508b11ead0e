import { type Generated, type Selectable } from 'kysely';

/** A post of an account. */
export interface PostTable {
  id: Generated<number>;
  /** Unique (`post_slug_unique`). */
  slug: string;
  /** `null` after the account was deleted. */
  authorId: number | null;
  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected post. */
export type PostRow = Selectable<PostTable>;
