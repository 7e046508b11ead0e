import {
  type ColumnBuilderCallback,
  type CreateTableBuilder,
  type Expression,
  type QueryExecutorProvider,
  type SchemaModule,
  sql,
} from 'kysely';

/**
 * The database handle for migrations, with the schema builder and raw SQL. The table types are absent because they describe the
 * newest schema.
 */
export interface MigrationContext extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}

/** A database kind. */
export type Dialect = 'sqlite' | 'postgres';

/** The id generator: a database sequence, or the program. */
export type Ids = 'sequence' | 'time';

/** The column types and modifiers that differ between the databases, so that a migration is written once. */
export interface Columns {
  readonly dialect: Dialect;
  /** A safe integer; also a foreign key's type. */
  readonly integer: Expression<unknown>;
  /** A `Date` with millisecond precision, in a column named `*_at`. */
  readonly timestamp: Expression<unknown>;
  readonly text: Expression<unknown>;
  /** A JSON value, written by `jsonText` and read as its value. Only for tables with `strictTypes`. */
  readonly json: Expression<unknown>;
  /** A boolean, in a column named `is_*`. */
  readonly boolean: Expression<unknown>;
  /** A generated primary key; values are never reused. */
  readonly id: ColumnBuilderCallback;
  /**
   * Adds a generated `id` to the named table, and an owner column such as `account_id`, which deletes rows with their owner. The
   * key begins with the owner, so that a distributed engine keeps an owner's rows together. Statements name both columns.
   */
  readonly ownedBy: (
    name: string,
    owner: string,
  ) => <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T, string>;
  /** The insert time, as a timestamp's default. */
  readonly now: Expression<unknown>;
  /** Rejects values with the wrong type for their column (`STRICT` on SQLite). */
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

/**
 * @param identity the identity clause of an id: empty, or a clause that accepts given ids, so that a store can switch to
 *   time-based ids
 */
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

/** Returns a dialect's column types. SQLite has the same columns for both kinds of ids. */
export function columnsOf(dialect: 'sqlite' | 'postgres', ids: Ids = 'sequence'): Columns {
  return dialect === 'sqlite' ? sqlite : postgres[ids];
}
