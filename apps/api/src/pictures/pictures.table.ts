import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
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

/** Pictures outlive their account, without an owner, until their files are removed. */
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
