import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** A picture of an account. The picture with the greatest id is the current picture. */
export interface PictureTable {
  id: Generated<number>;
  /**
   * The account. It becomes `null` when the picture is replaced or removed, or when the account is deleted. The file is then
   * removed, and the row after it.
   */
  accountId: number | null;
  /** The key of the file in the upload store. */
  fileKey: string;
  bytes: number;
  createdAt: Date;
}

/** A selected picture. */
export type PictureRow = Selectable<PictureTable>;

declare module '@app/persistence' {
  interface Tables {
    picture: PictureTable;
  }
}

export const pictureTable = defineTable('picture', {
  secrecy: { id: 'open', accountId: 'internal', fileKey: 'internal', bytes: 'open', createdAt: 'open' },
  exported: { part: 'pictures', without: { id: 'counts the pictures of everybody' } },
  migrations: { '0004-pictures': { apply: createPicture, tookMs: { sqlite: 38, postgres: 194 } } },
});

/** Creates the table. A picture outlives its account without an owner until its file is removed. */
async function createPicture(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('picture')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('file_key', text, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('picture_account_id_id').on('picture').columns(['account_id', 'id']).execute();
}
