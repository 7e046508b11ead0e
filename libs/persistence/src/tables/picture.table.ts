import { type Generated, type Selectable } from 'kysely';

/** A picture of an account; the one with the greatest id counts. Deleted with its account. */
export interface PictureTable {
  id: Generated<number>;
  accountId: number;
  /** Under which the store of uploads has it. */
  fileKey: string;
  bytes: number;
  createdAt: Date;
}

/** A selected picture. */
export type PictureRow = Selectable<PictureTable>;
