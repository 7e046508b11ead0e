import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';

/**
 * Pictures outlive their account, without an owner, until their files are removed. SQLite cannot change a foreign key, so the
 * table is replaced; the order of the ids stays.
 */
export async function picturesWithoutOwner(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('picture_without_owner')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('file_key', text, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .execute();
  const columns = sql`account_id, file_key, bytes, created_at`;
  await sql`insert into picture_without_owner (${columns}) select ${columns} from picture order by id`.execute(
    db,
  );
  await db.schema.dropTable('picture').execute();
  await db.schema.alterTable('picture_without_owner').renameTo('picture').execute();
  await db.schema.createIndex('picture_account_id_id').on('picture').columns(['account_id', 'id']).execute();
}
