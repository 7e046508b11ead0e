import { sql } from 'kysely';
import { type Database } from './database';

/** An index with every row in a table. */
export interface TableIndex {
  readonly isUnique: boolean;
  /** The columns in index order, with their database names. The list ends before the first expression. */
  readonly columns: readonly string[];
}

/** Reads a table's full indexes, including the indexes behind its constraints. Partial indexes are left out. */
export async function readTableIndexes(db: Database, table: string): Promise<readonly TableIndex[]> {
  const { rows } = await (db.dialect === 'sqlite' ? ofSqlite(table) : ofPostgres(table)).execute(db);
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((columns) => {
    const end = columns.findIndex(({ column }) => column === null);
    const named = end === -1 ? columns : columns.slice(0, end);
    return {
      isUnique: end === -1 && Boolean(columns[0]?.isUnique),
      columns: named.map(({ column }) => column ?? ''),
    };
  });
}

/** An index column. */
interface IndexColumn {
  readonly name: string;
  readonly isUnique: boolean | number;
  /** The column; null for an expression. */
  readonly column: string | null;
}

/** The integer primary key of SQLite is the table itself. A key of several columns has an index, which has their order. */
function ofSqlite(table: string) {
  return sql<IndexColumn>`
    select '' as "name", 1 as "isUnique", max(name) as "column" from pragma_table_info(${table}) where pk > 0
    having count(*) = 1
    union all
    select i.name, i."unique", c.name from pragma_index_list(${table}) i, pragma_index_info(i.name) c
    where i.partial = 0 order by 1`;
}

function ofPostgres(table: string) {
  return sql<IndexColumn>`
    select i.indexrelid::text as "name", i.indisunique as "isUnique", a.attname as "column"
    from pg_index i
    cross join unnest(i.indkey) with ordinality k(attnum, place)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = to_regclass(quote_ident(${table})) and i.indpred is null and i.indisvalid
      and k.place <= i.indnkeyatts
    order by i.indexrelid, k.place`;
}
