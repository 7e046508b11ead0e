import {
  type ColumnBuilderCallback,
  type CreateTableBuilder,
  type Expression,
  type QueryExecutorProvider,
  type SchemaModule,
  sql,
} from 'kysely';

/** What a migration may use: the schema builder and raw SQL. Not the table types, which describe the newest schema. */
export interface MigrationContext extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}

/** A kind of database. */
export type Dialect = 'sqlite' | 'postgres';

/** What generates ids: a sequence of the database, or the program. */
export type Ids = 'sequence' | 'time';

/** Column types and modifiers that differ between the databases, so that a migration is written once. */
export interface Columns {
  readonly dialect: Dialect;
  /** A safe integer; also the type of a foreign key. */
  readonly integer: Expression<unknown>;
  /** A `Date` with millisecond precision, in a column named `*_at`. */
  readonly timestamp: Expression<unknown>;
  readonly text: Expression<unknown>;
  /** JSON, written by `jsonText` and read as its value. Only of tables with `strictTypes`. */
  readonly json: Expression<unknown>;
  /** In a column named `is_*`. */
  readonly boolean: Expression<unknown>;
  /** A generated primary key; values are never reused. */
  readonly id: ColumnBuilderCallback;
  /**
   * Adds a generated `id` to the table of a name, and the column of its owner, with which its rows are deleted: `account_id`. The key begins
   * with it, so that an engine that distributes rows keeps those of an owner together; statements name both.
   */
  readonly ownedBy: (
    name: string,
    owner: string,
  ) => <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T, string>;
  /** Default of a timestamp: the time of the insert. */
  readonly now: Expression<unknown>;
  /** Rejects values whose type is not the column's (`STRICT` on SQLite). */
  readonly strictTypes: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
  /** Builds or drops an index without blocking writers (`concurrently` on PostgreSQL). */
  readonly concurrently: Expression<unknown>;
}

const sqlite: Columns = {
  dialect: 'sqlite',
  integer: sql`integer`,
  timestamp: sql`integer`,
  text: sql`text`,
  json: sql`any`,
  boolean: sql`integer`,
  id: (column) => column.primaryKey().autoIncrement(),
  ownedBy: (name, owner) => (table) =>
    table
      .addColumn('id', sql`integer`, sqlite.id)
      .addColumn(`${owner}_id`, sql`integer`, referenceTo(owner))
      .addUniqueConstraint(`${name}_${owner}_id_id_unique`, [`${owner}_id`, 'id']),
  now: sql`(cast(round(unixepoch('subsec') * 1000) as integer))`,
  strictTypes: (table) => table.modifyEnd(sql`strict`),
  concurrently: sql``,
};

/** @param identity of an id: none, or one that takes an id which is given, so that a store may go on with ids by time */
const postgresWith = (identity: ColumnBuilderCallback): Columns => ({
  dialect: 'postgres',
  integer: sql`bigint`,
  timestamp: sql`timestamptz(3)`,
  text: sql`text`,
  json: sql`jsonb`,
  boolean: sql`boolean`,
  id: (column) => identity(column.primaryKey()),
  ownedBy: (name, owner) => (table) =>
    table
      .addColumn('id', sql`bigint`, identity)
      .addColumn(`${owner}_id`, sql`bigint`, referenceTo(owner))
      .addPrimaryKeyConstraint(`${name}_pkey`, [`${owner}_id`, 'id']),
  now: sql`now()`,
  strictTypes: (table) => table,
  concurrently: sql`concurrently`,
});

const postgres = {
  sequence: postgresWith((column) => column.generatedByDefaultAsIdentity()),
  time: postgresWith((column) => column),
};

function referenceTo(owner: string): ColumnBuilderCallback {
  return (column) => column.notNull().references(`${owner}.id`).onDelete('cascade');
}

/** The columns of a dialect. SQLite has the same for both kinds of ids. */
export function columnsOf(dialect: 'sqlite' | 'postgres', ids: Ids = 'sequence'): Columns {
  return dialect === 'sqlite' ? sqlite : postgres[ids];
}
