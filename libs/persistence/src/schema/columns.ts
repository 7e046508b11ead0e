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

/** Column types and modifiers that differ between the databases, so that a migration is written once. */
export interface Columns {
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
  /** Default of a timestamp: the time of the insert. */
  readonly now: Expression<unknown>;
  /** Rejects values whose type is not the column's (`STRICT` on SQLite). */
  readonly strictTypes: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
  /** Builds or drops an index without blocking writers (`concurrently` on PostgreSQL). */
  readonly concurrently: Expression<unknown>;
}

const sqlite: Columns = {
  integer: sql`integer`,
  timestamp: sql`integer`,
  text: sql`text`,
  json: sql`any`,
  boolean: sql`integer`,
  id: (column) => column.primaryKey().autoIncrement(),
  now: sql`(cast(round(unixepoch('subsec') * 1000) as integer))`,
  strictTypes: (table) => table.modifyEnd(sql`strict`),
  concurrently: sql``,
};

const postgres: Columns = {
  integer: sql`bigint`,
  timestamp: sql`timestamptz(3)`,
  text: sql`text`,
  json: sql`jsonb`,
  boolean: sql`boolean`,
  id: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  now: sql`now()`,
  strictTypes: (table) => table,
  concurrently: sql`concurrently`,
};

/** The columns of each dialect. */
export const columnsOf = { sqlite, postgres };
