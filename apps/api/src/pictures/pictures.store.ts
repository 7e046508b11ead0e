import { Database, type PictureRow, type Queries, statement } from '@app/persistence';
import { type UploadedFile, UploadStore } from '@app/service';
import { Injectable } from '@nestjs/common';

@Injectable()
export class PicturesStore {
  constructor(
    private readonly db: Database,
    private readonly files: UploadStore,
  ) {}

  find(accountId: number, db: Queries = this.db): Promise<PictureRow | undefined> {
    return newest.first(db, { accountId });
  }

  /** Removes the earlier pictures, and their files. Of several at the same time, the last one stays. */
  async replace(accountId: number, { key: fileKey, bytes }: UploadedFile): Promise<PictureRow> {
    const row = await insert.one(this.db, { accountId, fileKey, bytes, createdAt: new Date() });
    await this.removeFiles(await removeOlder.all(this.db, { accountId, id: row.id }));
    return row;
  }

  /** @returns whether there was one */
  async remove(accountId: number): Promise<boolean> {
    const removed = await removeAll.all(this.db, { accountId });
    await this.removeFiles(removed);
    return removed.length > 0;
  }

  private async removeFiles(removed: readonly { readonly fileKey: string }[]): Promise<void> {
    await Promise.all(removed.map(({ fileKey }) => this.files.remove(fileKey)));
  }
}

const newest = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('picture').selectAll().where('accountId', '=', accountId).orderBy('id', 'desc').limit(1),
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

const removeOlder = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  db.deleteFrom('picture').where('accountId', '=', accountId).where('id', '<', id).returning('fileKey'),
);

const removeAll = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('picture').where('accountId', '=', accountId).returning('fileKey'),
);
