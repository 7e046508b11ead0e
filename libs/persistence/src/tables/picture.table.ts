import { type Generated, type Selectable } from 'kysely';

/** A picture of an account; the one with the greatest id counts. */
export interface PictureTable {
  id: Generated<number>;
  /** `null` once it was replaced or removed, or its account was: its file is to be removed, and then the row. */
  accountId: number | null;
  /** Under which the store of uploads has it. */
  fileKey: string;
  bytes: number;
  createdAt: Date;
}

/** A selected picture. */
export type PictureRow = Selectable<PictureTable>;
