import { sql } from 'kysely';
import { type Columns, type MigrationContext } from './columns';
import { type Migration } from './migration';

/** An index to build. Names as in the database. */
export interface NewIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether the values are unique; default false. A violation has the index name as its constraint. */
  readonly isUnique?: boolean;
}

/**
 * Builds an index on a table while programs write to it. PostgreSQL builds it concurrently, after removing the remains of an
 * interrupted build.
 *
 * @see https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY
 */
export function concurrentIndex({
  name,
  table,
  columns,
  isUnique = false,
}: NewIndex): Omit<Migration, 'runsSince'> {
  const apply = async (db: MigrationContext, { concurrently }: Columns): Promise<void> => {
    const keys = sql.join(columns.map((column) => sql.ref(column)));
    await sql`drop index ${concurrently} if exists ${sql.id(name)}`.execute(db);
    const kind = sql.raw(isUnique ? 'unique index' : 'index');
    await sql`create ${kind} ${concurrently} ${sql.id(name)} on ${sql.table(table)} (${keys})`.execute(db);
  };
  return { apply, isConcurrent: true };
}
