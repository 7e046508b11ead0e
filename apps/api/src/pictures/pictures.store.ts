import { Database, inTransaction, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { type UploadedFile, UploadStore } from '@app/uploads';
import { Injectable } from '@nestjs/common';
import type { PictureRow } from './pictures.table';

@Injectable()
export class PicturesStore {
  constructor(
    private readonly db: Database,
    private readonly files: UploadStore,
  ) {}

  find(accountId: number, db: Queries = this.db): Promise<PictureRow | undefined> {
    return newest.first(db, { accountId });
  }

  /** Returns a list with at most a single picture. */
  list(accountId: number, slice: Slice, db: Queries = this.db): Promise<PictureRow[]> {
    return list(db, slice, { accountId });
  }

  /** Replaces the earlier pictures. If several uploads run at the same time, the last picture stays. */
  async replace(accountId: number, { key: fileKey, bytes }: UploadedFile): Promise<PictureRow> {
    const { row, replaced } = await inTransaction(this.db, async (db) => {
      await lockOwner.execute(db, { accountId });
      const disowned = await disownAll.count(db, { accountId });
      const inserted = await insert.one(db, { accountId, fileKey, bytes, createdAt: new Date() });
      return { row: inserted, replaced: disowned };
    });
    if (replaced > 0) await this.removeWithoutOwner();
    return row;
  }

  /** Removes the account's picture and returns whether there was a picture. */
  async remove(accountId: number): Promise<boolean> {
    const count = await disownAll.count(this.db, { accountId });
    if (count > 0) await this.removeWithoutOwner();
    return count > 0;
  }

  /**
   * Removes pictures that have no owner. Each file is removed before its row, so that an interrupted removal is found again.
   *
   * @returns how many pictures it removed, at most `limit`
   */
  async removeWithoutOwner(limit = 10): Promise<number> {
    const orphans = await withoutOwner.all(this.db, { limit });
    for (const { id, fileKey } of orphans) {
      await this.files.remove(fileKey);
      await forget.execute(this.db, { id });
    }
    return orphans.length;
  }
}

const newest = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('picture').selectAll().where('accountId', '=', accountId).orderBy('id', 'desc').limit(1),
);

const list = sortedList(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('picture').selectAll().where('accountId', '=', accountId),
);

const insert = statement(
  (picture: { accountId: number; fileKey: string; bytes: number; createdAt: Date }, db) =>
    db
      .insertInto('picture')
      .values({
        accountId: picture.accountId,
        fileKey: picture.fileKey,
        bytes: picture.bytes,
        createdAt: picture.createdAt,
      })
      .returningAll(),
);

/** Locks the account so that its pictures are replaced in turn, because a transaction cannot see an uncommitted picture. */
const lockOwner = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate(),
);

const disownAll = statement(({ accountId }: { accountId: number }, db) =>
  db.updateTable('picture').set({ accountId: null }).where('accountId', '=', accountId),
);

const withoutOwner = statement(({ limit }: { limit: number }, db) =>
  db
    .selectFrom('picture')
    .select(['id', 'fileKey'])
    .where('accountId', 'is', null)
    .orderBy('id')
    .limit(limit),
);

const forget = statement(({ id }: { id: number }, db) => db.deleteFrom('picture').where('id', '=', id));
