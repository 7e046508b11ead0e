import { type Generated, type Insertable, type Selectable } from 'kysely';

/** Something an account published. */
export interface PostTable {
  id: Generated<number>;
  /** Unique (`post_slug_unique`). */
  slug: string;
  /** Who wrote it; `null` once that account is removed. */
  authorId: number | null;
  /** Set by the database unless it is given. */
  createdAt: Generated<Date>;
}

/** A post as it is read. */
export type PostRow = Selectable<PostTable>;
/** A post as it is written: what has a default may be left out. */
export type NewPostRow = Insertable<PostTable>;
